// The least that answers in an Express program: reads the body and echoes, without checks,
// sessions or MCP.
import express from 'express';
import { SETTINGS } from './settings.mjs';

const app = express();
app.use(express.json({ limit: '64mb' }));
app.post('/mcp', (request, response) => {
  const { id, method, params } = request.body;
  if (method === 'tools/call') {
    const result = { content: [{ type: 'text', text: params.arguments.text }] };
    response.json({ jsonrpc: '2.0', id, result: SETTINGS.stateless ? { resultType: 'complete', ...result } : result });
  } else if (id === undefined) {
    response.status(202).end();
  } else {
    response.set('mcp-session-id', 'bare');
    const result = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'bare', version: '1' } };
    response.json({ jsonrpc: '2.0', id, result });
  }
});
app.listen(SETTINGS.port, SETTINGS.host);
