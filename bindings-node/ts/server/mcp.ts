/** The official path of `v1/mcp`, which defines these names. */
export * from '../v1/mcp';
