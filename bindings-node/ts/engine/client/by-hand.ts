/**
 * Requests with resumption tokens: the engine resumes streams itself and reports no event ids, so
 * these requests go through the transport object.
 *
 * Owns: one request over the transport's own stream, with what comes on it. Must not know: how the
 * transport sends.
 */
import type { JSONRPCMessage, Progress } from '../../protocol/types';
import { DEFAULT_TIMEOUT, errorOf, onAbort, withdrawn, type Asking } from './asking';
import { CallByHand, type Link, type Wire } from './call';
import type { ByHand } from './reach';
import { errorFrom } from '../errors';
import type { Failure } from '../failure';

let last = 0;

/** What is called with the messages of one request. */
interface Waiting {
  send(said: JSONRPCMessage): void;
  progressed(progress: Progress): void;
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** Handles a message that came on the stream of the request with this id. */
function receive(link: Link, received: Wire, id: string, waiting: Waiting): void {
  if (received.method === 'notifications/progress' && received.params?.progressToken === id) {
    const { progressToken: _, ...progress } = received.params as Progress & { progressToken: unknown };
    waiting.progressed(progress as Progress);
  } else if (received.method !== undefined && received.id !== undefined) {
    link.ask(new CallByHand(link, received, waiting.send));
  } else if (received.method !== undefined) {
    link.serverNotification(received.method, received.params);
  } else if (received.error !== undefined) {
    waiting.reject(errorFrom({ ...received.error, kind: '' }));
  } else if (received.result !== undefined) {
    waiting.resolve(received.result);
  }
}

/** Sends a request, and waits for the answer on its stream. */
export async function askByHand(
  link: Link,
  carry: ByHand,
  { method, params }: { method: string; params?: unknown },
  options: Asking,
): Promise<unknown> {
  const id = `by-hand-${++last}`;
  const { signal, timeout = DEFAULT_TIMEOUT, onprogress, resetTimeoutOnProgress } = options;
  const over = new AbortController();
  const began = performance.now();
  const given = (params as { _meta?: object } | undefined)?._meta;
  const _meta = { ...given, ...((onprogress || resetTimeoutOnProgress) && { progressToken: id }) };
  const message = { jsonrpc: '2.0', id, method, params: { ...(params as object | undefined), _meta } } as JSONRPCMessage;
  let stop: (() => void) | undefined;
  let forget: (() => void) | undefined;
  let timer: NodeJS.Timeout | undefined;
  link.connection.driver.hold();
  try {
    return await new Promise<unknown>((resolve, reject) => {
      const fail = (failure: Failure) => reject(errorOf(failure, timeout, options, performance.now() - began));
      const send = (said: JSONRPCMessage) => {
        const living = new AbortController().signal;
        carry(said, {}, () => undefined, living).catch((error: Error) => link.fault(error));
      };
      const withdraw = (reason: unknown) => {
        const about = { requestId: id, reason: String(reason) };
        send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: about } as JSONRPCMessage);
      };
      const expire = () => {
        fail({ kind: 'timeout', code: 0, message: '' });
        withdraw('Request timed out');
      };
      const wait = () => {
        clearTimeout(timer);
        timer = timeout < 2 ** 31 ? setTimeout(expire, timeout) : undefined;
      };
      const progressed = (progress: Progress) => {
        if (resetTimeoutOnProgress) wait();
        onprogress?.(progress);
      };
      const take = (received: Wire) => receive(link, received, id, { send, progressed, resolve, reject });
      wait();
      const abort = () => {
        reject(withdrawn(signal!));
        withdraw(signal!.reason);
      };
      stop = signal && onAbort(signal, abort);
      forget = onAbort(link.ended, () => fail({ kind: 'closed', code: 0, message: 'the connection is closed' }));
      carry(message, options, take as (message: JSONRPCMessage) => void, over.signal).catch(reject);
    });
  } finally {
    clearTimeout(timer);
    stop?.();
    forget?.();
    over.abort();
    link.connection.driver.release();
  }
}
