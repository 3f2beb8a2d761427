/**
 * Names and numbers of the protocol in the 2.x face. Owns: what has no place of its own.
 * Must not know: anything.
 */

/** Where a request says which revision it is of. */
export const PROTOCOL_VERSION_META_KEY = 'io.modelcontextprotocol/protocolVersion';
/** Where a request says who sent it. */
export const CLIENT_INFO_META_KEY = 'io.modelcontextprotocol/clientInfo';
/** Where a request says what its sender can do. */
export const CLIENT_CAPABILITIES_META_KEY = 'io.modelcontextprotocol/clientCapabilities';
/** Where a request says which log messages are wanted. */
export const LOG_LEVEL_META_KEY = 'io.modelcontextprotocol/logLevel';
/** Where a result says who answered. */
export const SERVER_INFO_META_KEY = 'io.modelcontextprotocol/serverInfo';
/** Where a notification says for which subscription it is. */
export const SUBSCRIPTION_ID_META_KEY = 'io.modelcontextprotocol/subscriptionId';
/** Where the context of a trace stands. */
export const TRACEPARENT_META_KEY = 'traceparent';
/** Where its vendors' parts stand. */
export const TRACESTATE_META_KEY = 'tracestate';
/** Where what travels with it stands. */
export const BAGGAGE_META_KEY = 'baggage';
/** Code: what was received is not JSON. */
export const PARSE_ERROR = -32700;
/** Code: what was received is not a request. */
export const INVALID_REQUEST = -32600;
/** Code: the receiver does not know the method. */
export const METHOD_NOT_FOUND = -32601;
/** Code: the parameters are not those of the method. */
export const INVALID_PARAMS = -32602;
/** Code: the receiver failed. */
export const INTERNAL_ERROR = -32603;

/** The schemas are ready when they are needed; there is nothing to load ahead. */
export function preloadSchemas(): void {}
