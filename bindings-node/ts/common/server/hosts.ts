/**
 * The hosts and origins that may access a server on this machine. Owns: the checks and the
 * responses; both faces offer them. Must not know: any web framework.
 */

/** The outcome of checking a `Host` header. */
export type HostHeaderValidationResult =
  | { ok: true; hostname: string }
  | {
      /** Whether it may pass. */
      ok: false;
      /** What is wrong. */
      errorCode: 'missing_host' | 'invalid_host_header' | 'invalid_host';
      /** What is wrong, in words. */
      message: string;
      /** The header. */
      hostHeader?: string;
      /** The name in it. */
      hostname?: string;
    };

/** The outcome of checking an `Origin` header. */
export type OriginValidationResult =
  | { ok: true; origin?: string; hostname?: string }
  | {
      /** Whether it may pass. */
      ok: false;
      /** What is wrong. */
      errorCode: 'invalid_origin_header' | 'invalid_origin';
      /** What is wrong, in words. */
      message: string;
      /** The header. */
      originHeader?: string;
      /** The name in it. */
      hostname?: string;
    };

/** The loopback names of this machine, as they appear in URLs. */
export function localhostAllowedHostnames(): string[] {
  return ['localhost', '127.0.0.1', '[::1]'];
}

/** The loopback names of this machine, for origins. */
export function localhostAllowedOrigins(): string[] {
  return localhostAllowedHostnames();
}

/**
 * Checks a `Host` header; ports are not compared.
 * @param hostHeader - The header.
 * @param allowedHostnames - The names of hosts that are allowed, without ports.
 */
export function validateHostHeader(
  hostHeader: string | null | undefined,
  allowedHostnames: string[],
): HostHeaderValidationResult {
  if (!hostHeader) return { ok: false, errorCode: 'missing_host', message: 'Missing Host header' };
  const hostname = hostnameOf(`http://${hostHeader}`);
  if (hostname === undefined) {
    return { ok: false, errorCode: 'invalid_host_header', message: `Invalid Host header: ${hostHeader}`, hostHeader };
  }
  if (allowedHostnames.includes(hostname)) return { ok: true, hostname };
  return { ok: false, errorCode: 'invalid_host', message: `Invalid Host: ${hostname}`, hostHeader, hostname };
}

/**
 * Checks an `Origin` header; ports are not compared. A request without the header passes, because
 * only browsers send it. `https://*` among the allowed names accepts every origin of that scheme.
 * @param originHeader - The header.
 * @param allowedOriginHostnames - The names of hosts whose pages are allowed, without ports.
 */
export function validateOriginHeader(
  originHeader: string | null | undefined,
  allowedOriginHostnames: string[],
): OriginValidationResult {
  if (!originHeader) return { ok: true };
  const hostname = hostnameOf(originHeader);
  if (!hostname) {
    const message = `Invalid Origin header: ${originHeader}`;
    return { ok: false, errorCode: 'invalid_origin_header', message, originHeader };
  }
  const scheme = new URL(originHeader).protocol;
  if (allowedOriginHostnames.includes(hostname) || allowedOriginHostnames.includes(`${scheme}//*`)) {
    return { ok: true, origin: originHeader, hostname };
  }
  return { ok: false, errorCode: 'invalid_origin', message: `Invalid Origin: ${hostname}`, originHeader, hostname };
}

function hostnameOf(url: string): string | undefined {
  try {
    return new URL(url).hostname;
  } catch {
    return undefined;
  }
}

/** The body of the response to a refused request. */
export function refusal(message: string): Record<string, unknown> {
  return { jsonrpc: '2.0', error: { code: -32000, message }, id: null };
}

/**
 * The response to a request with a foreign `Host`; `undefined` if it may pass.
 * @param req - The request.
 * @param allowedHostnames - The names of hosts that are allowed, without ports.
 */
export function hostHeaderValidationResponse(req: Request, allowedHostnames: string[]): Response | undefined {
  const result = validateHostHeader(req.headers.get('host'), allowedHostnames);
  return result.ok ? undefined : Response.json(refusal(result.message), { status: 403 });
}

/**
 * The response to a request with a foreign `Origin`; `undefined` if it may pass.
 * @param req - The request.
 * @param allowedOriginHostnames - The names of hosts whose pages are allowed, without ports.
 */
export function originValidationResponse(req: Request, allowedOriginHostnames: string[]): Response | undefined {
  const result = validateOriginHeader(req.headers.get('origin'), allowedOriginHostnames);
  return result.ok ? undefined : Response.json(refusal(result.message), { status: 403 });
}
