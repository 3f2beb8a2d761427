/** The official path of `common/server/streamable-http`, which defines these names. */
export * from '../common/server/streamable-http';
