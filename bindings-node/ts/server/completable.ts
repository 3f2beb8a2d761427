/** The path that the official package has for `common/mcp/completable`, which defines these names. */
export * from '../common/mcp/completable';
