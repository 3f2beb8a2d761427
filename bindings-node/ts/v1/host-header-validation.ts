/**
 * A guard against DNS rebinding for Express. Owns: which `Host` headers are accepted. Must not
 * know: what is behind it.
 */
import type { IncomingHttpHeaders } from 'node:http';

/** The members of an Express response that are used. */
interface Answering {
  status(code: number): { json(body: unknown): unknown };
}

function refuse(res: Answering, message: string): void {
  res.status(403).json({ jsonrpc: '2.0', error: { code: -32000, message }, id: null });
}

/**
 * Returns middleware that accepts only requests whose `Host` is one of these names, with any port.
 * IPv6 addresses are written in brackets: `[::1]`.
 *
 * @example
 * app.use(hostHeaderValidation(['localhost', '127.0.0.1', '[::1]']));
 */
export function hostHeaderValidation(
  allowedHostnames: string[],
): (req: { headers: IncomingHttpHeaders }, res: Answering, next: (error?: unknown) => void) => void {
  return (req, res, next) => {
    const header = req.headers.host;
    if (!header) return refuse(res, 'Missing Host header');
    let hostname: string;
    try {
      hostname = new URL(`http://${header}`).hostname;
    } catch {
      return refuse(res, `Invalid Host header: ${header}`);
    }
    if (!allowedHostnames.includes(hostname)) return refuse(res, `Invalid Host: ${hostname}`);
    next();
  };
}

/** Same as `hostHeaderValidation`, for the loopback names of this machine. */
export function localhostHostValidation(): ReturnType<typeof hostHeaderValidation> {
  return hostHeaderValidation(['localhost', '127.0.0.1', '[::1]']);
}
