/** The path that the official package has for `common/server/streamable-http`, which defines these names. */
export * from '../common/server/streamable-http';
