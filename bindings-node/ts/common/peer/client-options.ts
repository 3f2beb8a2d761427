/** Options of a 1.x client. Owns: the types. Must not know: what is done with them. */
import type { ToolReviewer } from '../review';
import type { ClientCapabilities, ListChangedHandlers } from '../../protocol/types';
import type { jsonSchemaValidator } from '../../protocol/validation';
import type { ValidateResult } from '../../engine/guarding';
import type { ProtocolOptions } from './types';

/**
 * How a client opens a connection. `auto`: with 2026-07-28 if the server has it, else with the
 * handshake of older revisions. `legacy`: with that handshake (`initialize`). `modern`: with 2026-07-28
 * only. The name of a revision, e.g. `2025-06-18`: with that one or not at all.
 */
export type ProtocolChoice = 'auto' | 'legacy' | 'modern' | (string & {});

/** Options of a `Client`. */
export type ClientOptions = ProtocolOptions & {
  /** The capabilities that this client declares to servers. Default: none. */
  capabilities?: ClientCapabilities;
  /** Validates structured results of tools. Default: the engine does. */
  jsonSchemaValidator?: jsonSchemaValidator;
  /** Functions that are called when the server's lists of tools, prompts or resources change. Default: none. */
  listChanged?: ListChangedHandlers;
  /** How to open connections. Default: the environment variable `MCPBOLT_PROTOCOL`, else `legacy`. */
  protocol?: ProtocolChoice;
  /** Called before each tool call is sent; may change or refuse it. Default: every call is sent. */
  reviewToolCall?: ToolReviewer;
  /** Whether the server's annotations of tools are trusted; `reviewToolCall` is told. Default: false. */
  trusted?: boolean;
  /**
   * Sends a ping to a server that has been silent for `interval` seconds. If no answer comes within
   * `timeout` seconds, a child process with `restart` is ended and started again; other connections are
   * closed. Up to 2025-11-25. Default: no pings.
   */
  keepAlive?: { interval: number; timeout: number };
  /**
   * Called with the method, the name of the tool or other object, and the result, before the caller gets
   * the result. Returns why the result is refused, or null to accept it. Default: all are accepted.
   */
  validateResult?: ValidateResult;
  /**
   * Further options of the engine by name, e.g. `{max_in_flight: 100, strict: true,
   * max_result_bytes: 1e6}`. Default: none.
   */
  engine?: Record<string, unknown>;
};
