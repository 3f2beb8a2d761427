/** The official path of `common/client/streamable-http`, which defines these names. */
export * from '../common/client/streamable-http';
