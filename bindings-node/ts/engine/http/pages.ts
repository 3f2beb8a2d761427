/**
 * Requests to a listener for other paths than the endpoint, answered by the program. Owns: passing
 * the `Request` there and its `Response` back. Must not know: routes.
 */
import type { Driver, ExchangeItem } from '../driver';

type Fallback = (request: Request) => Response | Promise<Response>;
type Body = string | { base64: string };

interface Head {
  method: string;
  target: string;
  headers: [string, string][];
}

/** Has `fallback` handle all other paths. */
export function servePages(driver: Driver, origin: () => string, fallback: Fallback): void {
  driver.pages = (item) => void answer(driver, item, origin(), fallback);
}

async function answer(driver: Driver, item: ExchangeItem, origin: string, fallback: Fallback): Promise<void> {
  const [, number, head, body] = item as [string, number, Head, Body];
  const left = new AbortController();
  driver.exchanges.set(number, () => left.abort());
  try {
    const response = await fallback(requestOf(head, body, origin, left.signal));
    await send(driver, number, response);
  } catch {
    driver.inbox.httpRespond(number, 500, '[]', new Uint8Array(), true);
  } finally {
    driver.exchanges.delete(number);
  }
}

function requestOf({ method, target, headers }: Head, body: Body, origin: string, signal: AbortSignal): Request {
  const bytes = typeof body === 'string' ? body : Buffer.from(body.base64, 'base64');
  const isBodiless = method === 'GET' || method === 'HEAD';
  return new Request(new URL(target, origin), { method, headers, signal, ...(isBodiless ? {} : { body: bytes }) });
}

async function send(driver: Driver, number: number, response: Response): Promise<void> {
  const { inbox } = driver;
  const headers = JSON.stringify([...response.headers.entries()]);
  inbox.httpRespond(number, response.status, headers, new Uint8Array(), response.body === null);
  if (response.body === null) return;
  for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) {
    for (;;) {
      const sent = inbox.httpWrite(number, part, false);
      if (sent === 'gone') return;
      if (sent === 'sent') break;
      await driver.writable(number);
    }
  }
  inbox.httpWrite(number, new Uint8Array(), true);
}
