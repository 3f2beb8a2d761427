// Keycloak on a loopback port, with the realm of `keycloak/realm.json`, for all scenarios of a run.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { openChromium } from './chromium.mjs';
import { COMPANY_CLIENT, ID_TOKEN, startCompany } from './company.mjs';
import { freePort } from './ports.mjs';
import { startRecorder } from './recorder.mjs';

const FEATURES = 'cimd,dpop,token-exchange,jwt-authorization-grant';
/** The first start after the installation compiles what was chosen; on a busy machine that takes minutes. */
const PATIENCE_MS = 420_000;
const ADMIN = { name: 'admin', password: 'only for this test' };
/** As `keycloak/realm.json` has them. */
const PERSON = { name: 'ann', password: 'only for this test' };
const REDIRECT_URI = 'http://localhost:3000/callback';
const REALM = '/realms/mcp';
const OPENID = `${REALM}/protocol/openid-connect`;
const KINDS = {
  [`${OPENID}/auth`]: 'authorize',
  [`${OPENID}/token`]: 'token',
  [`${REALM}/clients-registrations/openid-connect`]: 'register',
};
const CLIENTS = {
  CLIENT_ID: 'desktop-app',
  MACHINE_ID: 'nightly-report',
  MACHINE_SECRET: 'known-to-one: it & the issuer',
  COMPANY_APP_ID: 'company-app',
  COMPANY_APP_SECRET: 'known-to-the-company',
  RESOURCE_SERVER_ID: 'resource-server',
  RESOURCE_SERVER_SECRET: 'known-to-both',
};
/** Tokens that are bound to a key are for a client that says so. */
const BOUND = 'bound-app';

/** Starts it from the folder of its distribution; `resource` is the URL of the server that tokens are for. */
export async function openKeycloak(packages, { keycloak, chromium, resource }) {
  const folder = await mkdtemp(join(tmpdir(), 'mcpbolt-keycloak-'));
  const opened = [];
  const close = async () => {
    for (const what of opened.reverse()) await what.close();
    await rm(folder, { recursive: true, force: true });
  };
  const keep = (what) => (opened.push(what), what);
  try {
    const jose = await packages.load('jose');
    const { default: puppeteer } = await packages.load('puppeteer-core');
    const company = keep(await startCompany(jose, CLIENTS.COMPANY_APP_ID));
    const document = keep(await publishDocument(folder));
    const port = await freePort();
    keep(await startServer(keycloak, port, document.certificate));
    const recorder = keep(await startRecorder(port, KINDS));
    await importRealm(recorder.origin, { resource, company: company.issuer });
    const browser = keep(await openChromium(puppeteer, chromium, PERSON));
    const env = {
      ...CLIENTS,
      ISSUER: `${recorder.origin}${REALM}`,
      REDIRECT_URI,
      DOCUMENT_URL: document.url,
      IDP_ISSUER: company.issuer,
      IDP_CLIENT_ID: COMPANY_CLIENT,
      IDP_ID_TOKEN: ID_TOKEN,
    };
    return {
      name: 'keycloak',
      async begin({ tokens }) {
        await browser.forget();
        recorder.forget();
        return {
          env: tokens === 'dpop' ? { ...env, CLIENT_ID: BOUND } : env,
          seen: recorder.seen,
          browse: (url) => browser.browse(url, REDIRECT_URI),
          visit: browser.visit,
          revokeAccess: () => revoke(recorder),
          secrets: () => [...company.granted, ...recorder.given.flatMap(({ token, refresh }) => [token, refresh])],
          end: () => undefined,
        };
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function startServer(folder, port, certificate) {
  const program = spawn(
    'bash',
    [
      join(folder, 'bin/kc.sh'),
      'start-dev',
      '--http-host=127.0.0.1',
      `--http-port=${port}`,
      `--features=${FEATURES}`,
      '--db=dev-mem',
      `--truststore-paths=${certificate}`,
    ],
    {
      env: { ...process.env, KC_BOOTSTRAP_ADMIN_USERNAME: ADMIN.name, KC_BOOTSTRAP_ADMIN_PASSWORD: ADMIN.password },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const ended = once(program, 'exit');
  let said = '';
  const ready = new Promise((done, fail) => {
    program.stdout.on('data', (bytes) => {
      said = (said + bytes).slice(-8000);
      if (said.includes('Listening on:')) done();
    });
    void ended.then(() => fail(new Error(`Keycloak ended: ${said}`)));
    setTimeout(() => fail(new Error(`Keycloak does not start: ${said}`)), PATIENCE_MS).unref();
  });
  const close = async () => {
    program.kill();
    await ended;
  };
  try {
    await ready;
  } catch (error) {
    await close();
    throw error;
  }
  return { close };
}

/** Makes the realm, with the addresses of this run. */
async function importRealm(origin, addresses) {
  const text = await readFile(join(import.meta.dirname, 'keycloak/realm.json'), 'utf8');
  const realm = text.replaceAll(/\{(\w+)\}/g, (_, name) => addresses[name]);
  const form = { grant_type: 'password', client_id: 'admin-cli', username: ADMIN.name, password: ADMIN.password };
  const token = await fetch(`${origin}/realms/master/protocol/openid-connect/token`, { method: 'POST', body: new URLSearchParams(form) });
  const { access_token: access } = await token.json();
  const headers = { authorization: `Bearer ${access}`, 'content-type': 'application/json' };
  const made = await fetch(`${origin}/admin/realms`, { method: 'POST', headers, body: realm });
  if (made.status !== 201) throw new Error(`the realm is refused: ${made.status} ${await made.text()}`);
}

/** Makes every access token worthless that was given out; refresh tokens stay. */
async function revoke(recorder) {
  for (const { token, clientId } of recorder.given) {
    const body = new URLSearchParams({ token, token_type_hint: 'access_token', client_id: clientId });
    const revoked = await fetch(`${recorder.origin}${OPENID}/revoke`, { method: 'POST', body });
    if (!revoked.ok) throw new Error(`a token cannot be revoked: ${revoked.status} ${await revoked.text()}`);
  }
}

/** Serves the client's metadata document by HTTPS; where, and whom to trust. */
async function publishDocument(folder) {
  const [store, certificate] = [join(folder, 'client.p12'), join(folder, 'client.pem')];
  const access = ['-keystore', store, '-storepass', 'only-for-this-test', '-alias', 'client'];
  const keytool = promisify(execFile).bind(undefined, 'keytool');
  const names = ['-dname', 'CN=localhost', '-ext', 'san=dns:localhost', '-ext', 'bc:c'];
  await keytool(['-genkeypair', ...access, '-storetype', 'PKCS12', '-keyalg', 'EC', '-groupname', 'secp256r1', '-validity', '2', ...names]);
  await keytool(['-exportcert', '-rfc', ...access, '-file', certificate]);
  const server = https.createServer({ pfx: await readFile(store), passphrase: 'only-for-this-test' });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `https://localhost:${server.address().port}/client.json`;
  const document = {
    client_id: url,
    client_name: 'Example',
    redirect_uris: [REDIRECT_URI],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    application_type: 'native',
  };
  server.on('request', (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(document));
  });
  return {
    url,
    certificate,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
