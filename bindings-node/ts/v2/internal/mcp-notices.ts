/**
 * What a high-level server tells its clients. Owns: one function each. Must not know: what is
 * registered.
 */
import type { LoggingMessageNotification } from '../../protocol/types';
import type { Server } from './server';

/** The part of `McpServer` that notifies. */
export abstract class McpNotices {
  /** The low-level server. */
  abstract readonly server: Server;

  /** Whether it is connected to a transport. */
  isConnected(): boolean {
    return this.server.transport !== undefined;
  }

  /**
   * Sends a log message, unless its level is below the one that the client asked for.
   * @param params - The `level`, the message as `data`, and optionally the name of the `logger`.
   * @param sessionId - The session whose level decides. Default: that of the request being answered.
   */
  async sendLoggingMessage(params: LoggingMessageNotification['params'], sessionId?: string): Promise<void> {
    return this.server.sendLoggingMessage(params, sessionId);
  }

  /** Notifies clients that the list of resources changed. */
  sendResourceListChanged(): void {
    if (this.isConnected()) void this.server.sendResourceListChanged();
  }

  /** Notifies clients that the list of tools changed. */
  sendToolListChanged(): void {
    if (this.isConnected()) void this.server.sendToolListChanged();
  }

  /** Notifies clients that the list of prompts changed. */
  sendPromptListChanged(): void {
    if (this.isConnected()) void this.server.sendPromptListChanged();
  }
}
