// A server on standard streams with the names of 2.x; argument 1: what serveStdio is told,
// as JSON; argument 2: `ctx` if the factory asks for the era.
import { McpServer } from 'mcpbolt/v2/server';
import { serveStdio } from 'mcpbolt/v2/server/stdio';

function make(era) {
  const server = new McpServer({ name: 'child', version: '1.0.0' });
  server.registerTool('era', {}, (ctx) => ({ content: [{ type: 'text', text: `${era} ${ctx.mcpReq.envelope === undefined ? 'bare' : 'wrapped'}` }] }));
  server.registerTool('grow', {}, () => {
    server.registerTool('grown', {}, () => ({ content: [] }));
    return { content: [] };
  });
  return server;
}

const options = JSON.parse(process.argv[2] ?? '{}');
serveStdio(process.argv[3] === 'ctx' ? ({ era }) => make(era) : () => make('unasked'), options);
