/**
 * What a client may ask and answer by the capabilities of both sides. Owns: both capabilities. Must
 * not know: connections.
 */
import { Protocol } from './protocol';
import { clientFamily, serverFamily } from '../../engine/capabilities';
import { refuseClientTask, refuseServerTask } from '../../engine/client/capabilities';
import type {
  ClientCapabilities,
  ClientNotification,
  ClientRequest,
  ClientResult,
  Notification,
  Request,
  Result,
  ServerCapabilities,
} from '../../protocol/types';
import { refusal } from '../../protocol/refusal';

/** The part of a client that looks at capabilities. */
export abstract class ClientChecks<
  RequestT extends Request = Request,
  NotificationT extends Notification = Notification,
  ResultT extends Result = Result,
> extends Protocol<ClientRequest | RequestT, ClientNotification | NotificationT, ClientResult | ResultT> {
  protected _capabilities!: ClientCapabilities;
  protected _serverCapabilities?: ServerCapabilities;

  /** Throws if the server did not declare a capability that a method needs. */
  protected assertCapability(capability: keyof ServerCapabilities, method: string): void {
    if (!this._serverCapabilities?.[capability]) {
      throw refusal('unsupported', `Server does not support ${String(capability)} (required for ${method})`);
    }
  }

  protected override assertCapabilityForMethod(method: (ClientRequest | RequestT)['method']): void {
    const needed = serverFamily(method as string);
    if (needed !== undefined) this.assertCapability(needed, method as string);
    if (method === 'resources/subscribe' && !this._serverCapabilities?.resources?.subscribe) {
      throw refusal('unsupported', `Server does not support resource subscriptions (required for ${method})`);
    }
  }

  protected override assertNotificationCapability(method: (ClientNotification | NotificationT)['method']): void {
    if (method === 'notifications/roots/list_changed' && !this._capabilities.roots?.listChanged) {
      throw refusal('unsupported', `Client does not support roots list changed notifications (required for ${method})`);
    }
  }

  protected override assertRequestHandlerCapability(method: string): void {
    const needed = clientFamily(method);
    // The base sets handlers before there are capabilities.
    if (needed === undefined || this._capabilities === undefined || this._capabilities[needed]) return;
    throw refusal('unsupported', `Client does not support ${needed} capability (required for ${method})`);
  }

  protected override assertTaskCapability(method: string): void {
    refuseServerTask(this._serverCapabilities, method);
  }

  protected override assertTaskHandlerCapability(method: string): void {
    refuseClientTask(this._capabilities, method);
  }
}
