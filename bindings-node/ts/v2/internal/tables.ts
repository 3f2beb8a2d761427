/**
 * What is registered with an `McpServer`, under the names of the official package: programs reach
 * into these tables, for example to sort tools. Owns: the names. Must not know: what a change does.
 */

/** The tables of a server, by their official names. */
export function tablesOf<A, B, C, D>(tools: { table: A }, prompts: { table: B }, resources: { table: C; templates: D }) {
  return {
    _registeredTools: tools.table,
    _registeredPrompts: prompts.table,
    _registeredResources: resources.table,
    _registeredResourceTemplates: resources.templates,
  };
}
