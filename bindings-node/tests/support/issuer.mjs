// An issuer of which there are only its documents and its key.
import { generateKeyPairSync, sign } from 'node:crypto';
import { createServer } from 'node:http';

const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Starts one on a free port; `asked` are the paths that were asked for. */
export async function startIssuer() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = { ...publicKey.export({ format: 'jwk' }), kid: 'k', alg: 'ES256', use: 'sig' };
  const asked = [];
  const server = createServer((req, res) => {
    asked.push(req.url);
    const documents = {
      '/.well-known/oauth-authorization-server': { issuer: url, authorization_endpoint: `${url}/a`, token_endpoint: `${url}/t`, jwks_uri: `${url}/keys`, response_types_supported: ['code'] },
      '/keys': { keys: [key] },
    };
    res.writeHead(documents[req.url] ? 200 : 404, { 'content-type': 'application/json' });
    res.end(JSON.stringify(documents[req.url] ?? {}));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${server.address().port}`;
  /** Claims of ann that are good for a minute, signed: those given, in a token with this head. */
  const token = (claims, head) => {
    const now = Math.floor(Date.now() / 1000);
    const said = { iss: url, sub: 'ann', client_id: 'editor', iat: now, exp: now + 60, ...claims };
    const text = `${part({ alg: 'ES256', kid: 'k', ...head })}.${part(said)}`;
    return `${text}.${sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
  };
  return { url, asked, token, close: () => server.close() };
}
