// Calls one tool of any server and checks what it answers, with the API of the official
// 1.x package.
//
//   node call.mjs [--package NAME] --call TOOL JSON --expect TEXT [-v] (--http URL | --sse URL | -- COMMAND ARGS)
//     --package NAME   whose client: mcpbolt, or @modelcontextprotocol/sdk

import { parseArgs } from 'node:util';

const text = { type: 'string' };
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    package: { type: 'string', default: 'mcpbolt' },
    call: text,
    expect: text,
    http: text,
    sse: text,
    verbose: { type: 'boolean', short: 'v' },
  },
});
// The first word after the tool is its arguments; the rest is the server.
const [args, ...command] = positionals;

const load = (path) => import(`${values.package}/${path}`);

async function transport() {
  if (values.http) {
    const { StreamableHTTPClientTransport } = await load('client/streamableHttp.js');
    return new StreamableHTTPClientTransport(new URL(values.http));
  }
  if (values.sse) {
    const { SSEClientTransport } = await load('client/sse.js');
    return new SSEClientTransport(new URL(values.sse));
  }
  const { StdioClientTransport } = await load('client/stdio.js');
  return new StdioClientTransport({ command: command[0], args: command.slice(1) });
}

const say = (words) => values.verbose && console.error(words);

const { Client } = await load('client/index.js');
const client = new Client({ name: 'interop-node', version: '1.0.0' });
await client.connect(await transport());
say(`connected to ${client.getServerVersion().name}`);
const { tools } = await client.listTools();
say(`${tools.length} tools`);
if (!tools.some(({ name }) => name === values.call)) throw new Error(`the server has no tool ${values.call}`);
const result = await client.callTool({ name: values.call, arguments: JSON.parse(args) });
await client.close();
const said = JSON.stringify(result);
say(`answer: ${said}`);
if (result.isError || !said.includes(values.expect)) {
  console.error(`the answer does not hold ${values.expect}: ${said}`);
  process.exitCode = 1;
}
