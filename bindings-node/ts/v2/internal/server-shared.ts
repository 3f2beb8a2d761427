/**
 * What servers of both faces share. Owns: which functions of the peer the 2.x face has as they are.
 * Must not know: those that it has in its own way.
 */
import { ServerPeer } from '../../common/peer/server-peer';
import type { Call } from '../../engine/server/contract';
import type { Implementation } from '../../protocol/types';
import type { ServerContext } from './context';
import type { ListToolsResult } from './tool-types';

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

/** The member through which the high-level server reaches what programs do not see. */
export const VIEW: unique symbol = Symbol('mcpbolt.view');

/** How requests and results are shown: to handlers, and to the client of a call. */
export interface View {
  contextOf(method: string, extra: unknown): ServerContext;
  shownTools(result: ListToolsResult, live: Call | undefined): ListToolsResult;
}
