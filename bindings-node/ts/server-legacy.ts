/**
 * HTTP+SSE and authorization servers for programs that came from 1.x to 2.x:
 * `@modelcontextprotocol/server-legacy`. Owns: nothing; the modules behind it are those of 1.x.
 */
export * from './server-legacy/auth';
export * from './server-legacy/sse';
