/**
 * What clients of both faces share. Owns: which functions of the peer the 2.x face has as they are.
 * Must not know: those that it has in its own way.
 */
import { ClientPeer, type INSIDE } from '../../common/peer/client-peer';
import type { Implementation } from '../../protocol/types';

/** The functions that are the same. */
export type Shared = Pick<
  ClientPeer,
  | typeof INSIDE
  | 'onclose'
  | 'onerror'
  | 'transport'
  | 'close'
  | 'registerCapabilities'
  | 'getServerCapabilities'
  | 'getServerVersion'
  | 'getInstructions'
  | 'removeRequestHandler'
  | 'removeNotificationHandler'
  | 'assertCanSetRequestHandler'
  | 'session'
>;
/** The peer, with those functions alone. */
export const Base: new (clientInfo: Implementation, options?: object) => Shared = ClientPeer;
