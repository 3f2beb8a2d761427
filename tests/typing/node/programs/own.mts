// What this package has beside the names of the official one.
import { Client, ClientSession, Host, McpServer } from 'mcpbolt';

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <T extends true>(value?: T): T | undefined => value;

const client = new Client({ name: 'typed', version: '1.0.0' });
const session: ClientSession | undefined = client.session;
await session?.close();
const host = new Host({ name: 'typed', version: '1.0.0' });
await host.close();

// The arguments of a tool by JSON Schema, as the official package takes them in 2.x alone. (differs: json-schema-tools)
const mcp = new McpServer({ name: 'typed', version: '1.0.0' });
mcp.registerTool('plain', { inputSchema: { type: 'object', properties: {} } }, (args) => {
  same<Equal<typeof args, Record<string, unknown>>>();
  return { content: [] };
});
