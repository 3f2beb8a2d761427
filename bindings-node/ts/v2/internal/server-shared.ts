/**
 * What servers of both faces share. Owns: which functions of the peer the 2.x face has as they are.
 * Must not know: those that it has in its own way.
 */
import { ServerPeer } from '../../common/peer/server-peer';
import type { Implementation } from '../../protocol/types';

/** What the face has as the peer has it; the rest it declares in its own way. */
export type Shared = Omit<
  ServerPeer,
  | 'setRequestHandler'
  | 'setNotificationHandler'
  | 'request'
  | 'fallbackRequestHandler'
  | 'fallbackNotificationHandler'
  | 'createMessage'
  | 'elicitInput'
  | 'connect'
  | 'registerCapabilities'
  | 'notification'
  | 'ping'
  | 'listRoots'
  | 'sendLoggingMessage'
  | 'sendResourceUpdated'
  | 'provide'
  | 'provideHandler'
  | 'registryChanged'
  | 'masked'
  | 'hiding'
  | 'host'
>;
/** The peer, with those functions alone. */
export const Base: abstract new (serverInfo: Implementation, options?: object) => Shared = ServerPeer;
