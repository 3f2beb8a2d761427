// Files that clients are told about when they change.
import { watch } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { McpServer, ResourceTemplate } from 'mcpbolt/server/mcp.js';
import { StdioServerTransport } from 'mcpbolt/server/stdio.js';

/** A server of the text files in a folder. */
export function logServer(folder) {
  const server = new McpServer(
    { name: 'logs', version: '1.0.0' },
    { capabilities: { resources: { subscribe: true, listChanged: true } } },
  );
  server.registerResource(
    'log',
    new ResourceTemplate('log:///{name}', { list: undefined }),
    { description: 'The last lines of a file', mimeType: 'text/plain' },
    async ({ href }, { name }) => {
      // One name of the folder itself, whatever a stranger writes there.
      const file = String(name);
      if (basename(file) !== file || !file.endsWith('.txt')) throw new Error('there is no such log');
      const text = await readFile(join(folder, file), 'utf8');
      return { contents: [{ uri: href, mimeType: 'text/plain', text: text.split('\n').slice(-100).join('\n') }] };
    },
  );
  // Whoever subscribed is told; the engine keeps who has which.
  const watching = watch(folder, (_event, name) => {
    if (name?.endsWith('.txt')) void server.server.sendResourceUpdated({ uri: `log:///${name}` });
  });
  return { server, stop: () => watching.close() };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await logServer(process.argv[2] ?? '.').server.connect(new StdioServerTransport());
}
