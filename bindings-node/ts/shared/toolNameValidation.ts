/** The path that the official package has for `common/mcp/tool-name`, which defines these names. */
export * from '../common/mcp/tool-name';
