/** A client's subscription to changes. Owns: it from request to end. Must not know: what a notification says. */
import type { SubscriptionFilter } from '../../generated/types';
import type { Link } from '../../engine/client/call';
import { ACKNOWLEDGED, LISTEN } from '../../engine/client/watch';
import { errorFrom } from '../../engine/errors';
import { MODERN_REVISIONS } from '../../generated/protocol';
import { errorV2 } from './convert';
import { SdkError, SdkErrorCode } from './errors';
import type { RequestOptions } from './context';

const PATIENCE = 60_000;

/** A subscription to changes. */
export interface McpSubscription {
  /** The notifications that the server agreed to send. */
  readonly honoredFilter: SubscriptionFilter;
  /** Ends the subscription. */
  close(): Promise<void>;
  /**
   * How the subscription ended: `local` by `close`, `graceful` by the server, or `remote` because
   * the connection was lost.
   */
  readonly closed: Promise<'local' | 'graceful' | 'remote'>;
}

type Ending = 'local' | 'graceful' | 'remote';

/** The error for a connection whose revision has no subscriptions, with what to use instead. */
export function cannotListen(protocolVersion: string | undefined): SdkError {
  const words =
    `${LISTEN} requires a ${MODERN_REVISIONS[0]}-era connection (negotiated: ${protocolVersion ?? 'none'}); ` +
    'on earlier revisions changes come unasked: use ClientOptions.listChanged and subscribeResource()';
  return new SdkError(SdkErrorCode.MethodNotSupportedByProtocolVersion, words, { method: LISTEN, protocolVersion });
}

/** Who hears of a subscription, if not the client's handlers of notifications. */
export interface Listener {
  /** A notification came on it. */
  take(method: string, params: unknown): void;
  /** It has ended, with the error that broke it if there was one. */
  over(error: unknown): void;
}

/** Subscribes; resolves when the server has acknowledged the subscription. */
export function listenTo(link: Link, filter: object, options: RequestOptions = {}, listener?: Listener): Promise<McpSubscription> {
  return new Promise((resolve, reject) => {
    let ended!: (how: Ending) => void;
    let local = false;
    const closed = new Promise<Ending>((over) => (ended = over));
    const close = async (): Promise<void> => {
      if (local) return;
      local = true;
      link.withdraw(pending.id, '');
      await closed;
    };
    const take = (method: string, params: unknown): void => {
      if (method !== ACKNOWLEDGED) return listener ? listener.take(method, params) : link.serverNotification(method, params);
      clearTimeout(late);
      resolve({ honoredFilter: (params as { notifications?: SubscriptionFilter })?.notifications ?? {}, close, closed });
    };
    const give = (error: unknown): void => {
      void close();
      reject(error as Error);
    };
    const patience = options.timeout ?? PATIENCE;
    const late = setTimeout(() => {
      give(new SdkError(SdkErrorCode.RequestTimeout, 'subscriptions/listen ack timed out', { timeout: patience }));
    }, patience);
    const aborted = (): void => {
      const reason: unknown = options.signal?.reason;
      give(reason instanceof Error ? reason : new Error(String(reason ?? 'Aborted')));
    };
    options.signal?.addEventListener('abort', aborted, { once: true });
    const pending = link.connection.listen(LISTEN, JSON.stringify({ notifications: filter }), take);
    void pending.answer.then(({ 5: failure }) => {
      clearTimeout(late);
      options.signal?.removeEventListener('abort', aborted);
      ended(local ? 'local' : failure === null ? 'graceful' : 'remote');
      const error = failure === null ? undefined : errorV2(errorFrom(failure));
      listener?.over(error);
      const words = 'subscriptions/listen closed before the server acknowledged';
      reject(error ?? new SdkError(SdkErrorCode.ConnectionClosed, words));
    });
  });
}
