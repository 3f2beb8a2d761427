/** The official path of `common/mcp/tool-name`, which defines these names. */
export * from '../common/mcp/tool-name';
