/** The path that the official package has for `common/client/streamable-http`, which defines these names. */
export * from '../common/client/streamable-http';
