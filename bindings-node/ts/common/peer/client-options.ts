/** Options of a 1.x client. Owns: the types. Must not know: what is done with them. */
import type { ToolReviewer } from '../review';
import type { ClientCapabilities, ListChangedHandlers } from '../../protocol/types';
import type { jsonSchemaValidator } from '../../protocol/validation';
import type { ValidateResult } from '../../engine/guarding';
import type { ProtocolOptions } from './types';

/**
 * How a client opens a connection: `legacy` sends `initialize`, `modern` sends `server/discover`,
 * `auto` tries `modern` first and falls back to `legacy`. A revision, e.g. `2025-06-18`, allows
 * that one only.
 */
export type ProtocolChoice = 'auto' | 'legacy' | 'modern' | (string & {});

/** Options of a `Client`. */
export type ClientOptions = ProtocolOptions & {
  /** The capabilities this client declares to servers. */
  capabilities?: ClientCapabilities;
  /** Validates structured results of tools, in place of the engine. */
  jsonSchemaValidator?: jsonSchemaValidator;
  /** What to do when the server's lists of tools, prompts or resources change. */
  listChanged?: ListChangedHandlers;
  /** How to open connections. Default: the environment variable `MCPBOLT_PROTOCOL`, else `legacy`. */
  protocol?: ProtocolChoice;
  /** Called before each tool call is sent; may change or refuse it. */
  reviewToolCall?: ToolReviewer;
  /** Whether this server's tool annotations may be relied on. Default: false. */
  trusted?: boolean;
  /**
   * Pings a legacy server that has been silent for `interval` seconds, and closes the connection if
   * no answer comes within `timeout` seconds.
   */
  keepAlive?: { interval: number; timeout: number };
  /**
   * Called with method, name and result before the caller gets the result; returns why the result
   * is refused, or null to accept it.
   */
  validateResult?: ValidateResult;
  /**
   * Further options of the engine, by their names, e.g. `{max_in_flight: 100, strict: true,
   * max_result_bytes: 1e6}`.
   */
  engine?: Record<string, unknown>;
};
