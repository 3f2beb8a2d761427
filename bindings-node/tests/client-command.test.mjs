// The command of a server on stdio, from settings that a program read.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StdioClientTransport } from 'mcpbolt/client/stdio.js';
import * as official from '@modelcontextprotocol/sdk/client/stdio.js';
import { within } from './support/bounds.mjs';
import { Lines } from './support/start.mjs';

test('arguments and variables of a server need not be texts, as with the official transport', async () => {
  const says = 'process.stderr.write(JSON.stringify([process.env.PORT, process.env.FLAG, process.env.NONE ?? null, process.argv.slice(1)]))';
  const parameters = { command: process.execPath, args: ['-e', says, 7, true], env: { PORT: 3000, FLAG: true, NONE: undefined }, stderr: 'pipe' };
  for (const Transport of [official.StdioClientTransport, StdioClientTransport]) {
    const transport = new Transport(parameters);
    const said = new Lines(transport.stderr);
    const over = new Promise((resolve) => (transport.onclose = resolve));
    await transport.start();
    await within(over, 'the end');
    assert.deepEqual(JSON.parse(said.text), ['3000', 'true', null, ['7', 'true']], Transport.name);
  }
});
