// LangChain's adapters, which stand on the official 1.x package, as a client of two servers.
//
//   node adapters.mjs URL -- COMMAND ARGS

import assert from 'node:assert/strict';
import { MultiServerMCPClient } from '@langchain/mcp-adapters';

const [url, command, ...args] = process.argv.slice(2).filter((word) => word !== '--');
const client = new MultiServerMCPClient({
  prefixToolNameWithServerName: true,
  mcpServers: { program: { transport: 'stdio', command, args }, web: { url } },
});
try {
  const tools = await client.getTools();
  for (const server of ['program', 'web']) {
    const greet = tools.find(({ name }) => name === `${server}__greet`);
    assert.ok(greet, `${server} has no greet`);
    assert.equal(await greet.invoke({ name: server }), `Hello, ${server}!`);
    const fails = tools.find(({ name }) => name === `${server}__test_error_handling`);
    await assert.rejects(fails.invoke({}), /intentionally/);
  }
} finally {
  await client.close();
}
