/**
 * A guard against DNS rebinding for Express. Owns: which `Host` headers are accepted. Must not
 * know: what is behind it.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { localhostAllowedHostnames, refusal, validateHostHeader } from '../common/server/hosts';

/** The members of an Express response that are used. */
interface Answering {
  status(code: number): { json(body: unknown): unknown };
}

/**
 * Returns middleware that accepts only requests whose `Host` is one of these names, with any port.
 * IPv6 addresses are written in brackets: `[::1]`.
 *
 * @param allowedHostnames - The names of hosts that are allowed, without ports.
 * @example
 * app.use(hostHeaderValidation(['localhost', '127.0.0.1', '[::1]']));
 */
export function hostHeaderValidation(
  allowedHostnames: string[],
): (req: { headers: IncomingHttpHeaders }, res: Answering, next: (error?: unknown) => void) => void {
  return (req, res, next) => {
    const result = validateHostHeader(req.headers.host, allowedHostnames);
    if (result.ok) next();
    else res.status(403).json(refusal(result.message));
  };
}

/** Same as `hostHeaderValidation`, for the loopback names of this machine. */
export function localhostHostValidation(): ReturnType<typeof hostHeaderValidation> {
  return hostHeaderValidation(localhostAllowedHostnames());
}
