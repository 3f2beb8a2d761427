// A server on mcpbolt whose page is made with the library of @modelcontextprotocol/ext-apps. The page
// sends a request that its policy does not allow.
//
//   node clock-server.mjs LIBRARY FORBIDDEN     the path of app-with-deps.js, a URL

import { readFileSync } from 'node:fs';
import { McpServer } from 'mcpbolt/v2/server';
import { serveStdio } from 'mcpbolt/v2/server/stdio';
import { z } from 'zod';

const [library, forbidden] = process.argv.slice(2);
const PAGE = 'ui://clock/app.html';
const TYPE = 'text/html;profile=mcp-app';
const code = readFileSync(library, 'utf8').replaceAll('</script', '<\\/script');
// What the bundle calls the class inside.
const [, App] = /([\w$]+) as App[,}]/.exec(code);

const HTML = `<!doctype html>
<p id="time"></p><p id="blocked"></p><p id="fetched"></p><p id="refused"></p><button>Again</button>
<script type="module">${code}
const put = (id, text) => (document.getElementById(id).textContent = text);
document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, disposition }) => {
  if (effectiveDirective === 'connect-src') put('blocked', [effectiveDirective, blockedURI, disposition].join(' '));
});
const app = new ${App}({ name: 'clock', version: '1.0.0' }, {}, { autoResize: false });
app.ontoolresult = ({ content }) => put('time', content[0].text);
await app.connect();
await fetch(${JSON.stringify(forbidden)}).then(() => put('fetched', 'yes'), (error) => put('fetched', error.name));
await app.callServerTool({ name: 'stop', arguments: {} }).catch((error) => put('refused', error.message));
document.querySelector('button').onclick = async () => {
  const { content } = await app.callServerTool({ name: 'again', arguments: {} });
  put('time', content[0].text);
};
</script>`;

const said = (text) => () => ({ content: [{ type: 'text', text }] });
const tool = (description, visibility) => ({ description, inputSchema: z.object({}), _meta: { ui: { resourceUri: PAGE, visibility } } });

serveStdio(() => {
  const server = new McpServer({ name: 'clock', version: '1.0.0' }, { capabilities: { extensions: { 'io.modelcontextprotocol/ui': {} } } });
  server.registerTool('time', tool('The time', ['model', 'app']), said('12:00'));
  server.registerTool('again', tool('The time, for the page', ['app']), said('12:01'));
  server.registerTool('stop', tool('Stops the clock', ['model']), said('stopped'));
  server.registerResource('clock', PAGE, { mimeType: TYPE }, () => ({ contents: [{ uri: PAGE, mimeType: TYPE, text: HTML }] }));
  return server;
});
