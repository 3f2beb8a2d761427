/** Servers that are child processes, in the 2.x face. Owns: nothing; the transport is that of 1.x. */
export {
  DEFAULT_INHERITED_ENV_VARS,
  getDefaultEnvironment,
  StdioClientTransport,
  type StdioServerParameters,
} from '../../common/client/stdio';
