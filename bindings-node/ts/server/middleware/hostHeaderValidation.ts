/**
 * A guard against DNS rebinding for Express. Owns: which `Host` headers pass. Must not
 * know: what is behind it.
 */
import type { IncomingHttpHeaders } from 'node:http';

/** What is needed of a response of Express. */
interface Answering {
  status(code: number): { json(body: unknown): unknown };
}

function refuse(res: Answering, message: string): void {
  res.status(403).json({ jsonrpc: '2.0', error: { code: -32000, message }, id: null });
}

/**
 * A middleware that lets requests pass whose `Host` is one of these names, whatever the
 * port. IPv6 addresses are in brackets: `[::1]`.
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

/** As `hostHeaderValidation`, for the names of this machine. */
export function localhostHostValidation(): ReturnType<typeof hostHeaderValidation> {
  return hostHeaderValidation(['localhost', '127.0.0.1', '[::1]']);
}
