/** The path that the official package has for `v1/mcp`, which defines these names. */
export * from '../v1/mcp';
