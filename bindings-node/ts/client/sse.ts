/** The path that the official package has for `common/client/sse`, which defines these names. */
export * from '../common/client/sse';
