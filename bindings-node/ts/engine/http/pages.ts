/**
 * Requests to a listener for other paths than the endpoint, answered by the program. Owns: passing
 * the `Request` there and its `Response` back. Must not know: routes.
 */
import type { Driver, ExchangeItem } from '../driver';
import type { ServerHost } from '../server/host';

type Fallback = (request: Request) => Response | Promise<Response>;
type Body = string | { base64: string };

interface Head {
  method: string;
  target: string;
  headers: [string, string][];
}

/** Has `fallback` handle all other paths. */
export function servePages(host: ServerHost, origin: () => string, fallback: Fallback): void {
  host.driver.pages = (item) => void answer(host, item, origin(), fallback);
}

async function answer(host: ServerHost, item: ExchangeItem, origin: string, fallback: Fallback): Promise<void> {
  const { driver } = host;
  const [, number, head, body] = item as [string, number, Head, Body];
  const left = new AbortController();
  driver.exchanges.set(number, () => {
    left.abort();
    driver.wake(number);
  });
  try {
    const response = await fallback(requestOf(head, body, origin, left.signal));
    await send(driver, number, response, left.signal);
  } catch (error) {
    // What was begun can only be ended.
    const isBegun = !driver.inbox.httpRespond(number, 500, '[]', new Uint8Array(), true);
    if (isBegun) await write(driver, number, new Uint8Array(), true);
    if (!left.signal.aborted) host.failed(error);
  } finally {
    driver.exchanges.delete(number);
  }
}

function requestOf({ method, target, headers }: Head, body: Body, origin: string, signal: AbortSignal): Request {
  const bytes = typeof body === 'string' ? body : Buffer.from(body.base64, 'base64');
  const isBodiless = method === 'GET' || method === 'HEAD';
  return new Request(new URL(target, origin), { method, headers, signal, ...(isBodiless ? {} : { body: bytes }) });
}

async function send(driver: Driver, number: number, response: Response, left: AbortSignal): Promise<void> {
  const headers = JSON.stringify([...response.headers.entries()]);
  const reader = response.body?.getReader();
  try {
    driver.inbox.httpRespond(number, response.status, headers, new Uint8Array(), reader === undefined);
    if (reader === undefined) return;
    const cancel = (): void => void reader.cancel(left.reason).catch(() => undefined);
    if (left.aborted) cancel();
    else left.addEventListener('abort', cancel, { once: true });
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      if (!(await write(driver, number, part.value, false))) return;
    }
    await write(driver, number, new Uint8Array(), true);
  } finally {
    // Does nothing to a body that was read to its end.
    void reader?.cancel().catch(() => undefined);
  }
}

/** Writes a part once there is room; `false` if the client has left. */
async function write(driver: Driver, number: number, part: Uint8Array, end: boolean): Promise<boolean> {
  for (;;) {
    const sent = driver.inbox.httpWrite(number, part, end);
    if (sent !== 'full') return sent === 'sent';
    await driver.writable(number);
  }
}
