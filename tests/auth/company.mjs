// A company's identity provider: makes of a user's ID token a grant for one authorization server
// (ID-JAG). It stands in for that of a company; the authorization server that redeems the grant
// is real.
import http from 'node:http';
import { randomUUID } from 'node:crypto';

const ID_JAG = 'urn:ietf:params:oauth:token-type:id-jag';
export const ID_TOKEN = 'what the company gave ann in the morning';
const EMPLOYEE = 'employee-7';
/** The client as the company knows it. */
export const COMPANY_CLIENT = 'company-desktop';

/** Starts it; `jose` is the package of that name, `redeemer` the client that may redeem its grants. */
export async function startCompany(jose, redeemer) {
  const { publicKey, privateKey } = await jose.generateKeyPair('ES256');
  const jwk = { ...(await jose.exportJWK(publicKey)), kid: 'c1', alg: 'ES256', use: 'sig' };
  const listener = http.createServer();
  await new Promise((done) => listener.listen(0, '127.0.0.1', done));
  const issuer = `http://127.0.0.1:${listener.address().port}`;
  const granted = [];
  const documents = {
    '/.well-known/oauth-authorization-server': {
      issuer,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      response_types_supported: ['code'],
      grant_types_supported: ['urn:ietf:params:oauth:grant-type:token-exchange'],
      token_endpoint_auth_methods_supported: ['none'],
    },
    '/keys': { keys: [jwk] },
  };
  async function exchange(form) {
    const asked = form.subject_token === ID_TOKEN && form.requested_token_type === ID_JAG;
    if (!asked) return [400, { error: 'invalid_request' }];
    const claims = { resource: form.resource, client_id: redeemer, scope: form.scope };
    const grant = await new jose.SignJWT(claims)
      .setProtectedHeader({ alg: 'ES256', kid: 'c1', typ: 'oauth-id-jag+jwt' })
      .setIssuer(issuer)
      .setSubject(EMPLOYEE)
      .setAudience(form.audience)
      .setJti(randomUUID())
      .setIssuedAt()
      .setExpirationTime('2m')
      .sign(privateKey);
    granted.push(grant);
    return [200, { access_token: grant, issued_token_type: ID_JAG, token_type: 'N_A', expires_in: 120 }];
  }
  listener.on('request', async (request, response) => {
    let body = '';
    for await (const bytes of request) body += bytes;
    const document = documents[request.url];
    const answer = request.url === '/token' ? await exchange(Object.fromEntries(new URLSearchParams(body))) : [document ? 200 : 404, document ?? {}];
    response.writeHead(answer[0], { 'content-type': 'application/json', 'cache-control': 'no-store' });
    response.end(JSON.stringify(answer[1]));
  });
  return {
    issuer,
    granted,
    close() {
      listener.closeAllConnections();
      listener.close();
    },
  };
}
