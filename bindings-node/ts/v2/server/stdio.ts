/**
 * Standard streams in the 2.x face. Owns: nothing; the transport is that of 1.x.
 */
export { StdioServerTransport } from '../../common/server/stdio';
export { serveStdio, type ServeStdioOptions, type StdioServerHandle } from '../internal/serve-stdio';
