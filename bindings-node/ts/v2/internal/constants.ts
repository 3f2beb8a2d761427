/** Constants of the protocol in the 2.x face. Owns: those that belong to no other module. Must not know: anything. */

/** The key in a request's `_meta` for the protocol revision. */
export const PROTOCOL_VERSION_META_KEY = 'io.modelcontextprotocol/protocolVersion';
/** The key in a request's `_meta` for the client's name and version. */
export const CLIENT_INFO_META_KEY = 'io.modelcontextprotocol/clientInfo';
/** The key in a request's `_meta` for the client's capabilities. */
export const CLIENT_CAPABILITIES_META_KEY = 'io.modelcontextprotocol/clientCapabilities';
/** The key in a request's `_meta` for the lowest level of log messages to send. */
export const LOG_LEVEL_META_KEY = 'io.modelcontextprotocol/logLevel';
/** The key in a result's `_meta` for the server's name and version. */
export const SERVER_INFO_META_KEY = 'io.modelcontextprotocol/serverInfo';
/** The key in a notification's `_meta` for the id of its subscription. */
export const SUBSCRIPTION_ID_META_KEY = 'io.modelcontextprotocol/subscriptionId';
/** The key in `_meta` for the W3C trace context. */
export const TRACEPARENT_META_KEY = 'traceparent';
/** The key in `_meta` for the vendor-specific part of the trace context. */
export const TRACESTATE_META_KEY = 'tracestate';
/** The key in `_meta` for W3C baggage. */
export const BAGGAGE_META_KEY = 'baggage';
/** Error code: the message is not valid JSON. */
export const PARSE_ERROR = -32700;
/** Error code: the message is not a valid request. */
export const INVALID_REQUEST = -32600;
/** Error code: the method is unknown. */
export const METHOD_NOT_FOUND = -32601;
/** Error code: the parameters are not valid for the method. */
export const INVALID_PARAMS = -32602;
/** Error code: the receiver failed. */
export const INTERNAL_ERROR = -32603;

/** Does nothing, because schemas need no loading here. It exists for compatibility. */
export function preloadSchemas(): void {}
