/** `@modelcontextprotocol/server-legacy/sse`. Owns: nothing; `v1/sse-server` defines these names. */
export { SSEServerTransport, type SSEServerTransportOptions } from '../v1/sse-server';
