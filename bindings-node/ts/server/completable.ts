/** The official path of `common/mcp/completable`, which defines these names. */
export * from '../common/mcp/completable';
