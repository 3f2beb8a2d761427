// Stands in front of a server and passes everything on: what it was asked, and the tokens it gave.
import http from 'node:http';

/** In front of the server at `port`; `kinds` says what requests to a path are for, by its path. */
export async function startRecorder(port, kinds) {
  const seen = [];
  const given = [];
  const agent = new http.Agent({ keepAlive: true });

  function record(request, body, answer, text) {
    const { pathname, searchParams } = new URL(request.url, 'http://localhost');
    const kind = kinds[pathname];
    if (kind === undefined) return;
    const form = Object.fromEntries(new URLSearchParams(kind === 'register' ? '' : body));
    seen.push({ kind, status: answer.statusCode, params: { ...Object.fromEntries(searchParams), ...form }, body: form });
    if (kind !== 'token' || answer.statusCode !== 200) return;
    const { access_token: token, refresh_token: refresh } = JSON.parse(text);
    given.push({ token, refresh, clientId: form.client_id });
  }

  const listener = http.createServer(async (request, response) => {
    const body = await whole(request);
    const { method, url: path, headers } = request;
    const onward = http.request({ host: '127.0.0.1', port, method, path, headers, agent }, async (answer) => {
      const text = await whole(answer);
      record(request, body.toString(), answer, text.toString());
      const passed = { ...answer.headers };
      delete passed['transfer-encoding'];
      response.writeHead(answer.statusCode, passed);
      response.end(text);
    });
    onward.on('error', () => response.destroy());
    onward.end(body);
  });
  await new Promise((done) => listener.listen(0, '127.0.0.1', done));
  return {
    origin: `http://127.0.0.1:${listener.address().port}`,
    seen,
    given,
    forget() {
      seen.length = 0;
      given.length = 0;
    },
    close() {
      agent.destroy();
      listener.closeAllConnections();
      listener.close();
    },
  };
}

async function whole(stream) {
  const parts = [];
  for await (const bytes of stream) parts.push(bytes);
  return Buffer.concat(parts);
}
