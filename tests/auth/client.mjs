// A client that signs in: `client.mjs URL SCENARIO`, the same in every language. A line
// `open URL` on standard output asks for the browser; the line that comes back is where the
// browser ended. The rest of standard output is one JSON object a line: what tools said.
import { createInterface } from 'node:readline';

import {
  Client,
  ClientCredentialsProvider,
  CrossAppAccessProvider,
  DpopSession,
  requestJwtAuthorizationGrant,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from 'mcpbolt/v2/client';

const AT_ONCE = 64;
const { env } = process;
const [url, scenario] = process.argv.slice(2);
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const line = async () => (await lines.next()).value ?? '';
const say = (what) => process.stdout.write(`${typeof what === 'string' ? what : JSON.stringify(what)}\n`);

/** Keeps everything in memory. */
class Provider {
  redirectUrl = env.REDIRECT_URI;
  clientMetadataUrl = scenario === 'document' ? env.DOCUMENT_URL : undefined;
  clientMetadata = {
    client_name: 'Example',
    redirect_uris: [this.redirectUrl],
    grant_types: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_method: 'none',
    application_type: 'native',
  };
  #client = ['registered', 'dpop'].includes(scenario) ? { client_id: env.CLIENT_ID } : undefined;
  #tokens;
  #verifier;
  asked;
  state = () => 'a state that nobody guesses';
  clientInformation = () => this.#client;
  saveClientInformation = (client) => void (this.#client = client);
  tokens = () => this.#tokens;
  saveTokens = (tokens) => void (this.#tokens = tokens);
  codeVerifier = () => this.#verifier;
  saveCodeVerifier = (verifier) => void (this.#verifier = verifier);
  redirectToAuthorization = (target) => void (this.asked = target);
}

/** The grant that a company's identity provider makes of the user's ID token. */
async function companyGrant({ authorizationServerUrl: audience, resourceUrl: resource, scope, fetchFn }) {
  const company = { tokenEndpoint: `${env.IDP_ISSUER}/token`, clientId: env.IDP_CLIENT_ID, idToken: env.IDP_ID_TOKEN };
  return (await requestJwtAuthorizationGrant({ ...company, audience, resource, scope, fetchFn })).jwtAuthGrant;
}

async function providerOf(wanted) {
  const expectedIssuer = env.ISSUER;
  switch (wanted) {
    case 'machine':
      return new ClientCredentialsProvider({ clientId: env.MACHINE_ID, clientSecret: env.MACHINE_SECRET, expectedIssuer });
    case 'company':
      return new CrossAppAccessProvider({
        clientId: env.COMPANY_APP_ID,
        clientSecret: env.COMPANY_APP_SECRET,
        expectedIssuer,
        assertion: companyGrant,
      });
    case 'dpop': {
      const session = await DpopSession.create();
      return Object.assign(new Provider(), { dpop: () => session });
    }
    default:
      return new Provider();
  }
}

const authProvider = await providerOf(scenario);
let transport;

/** Sends the user to the browser, and hands what came back to the transport. */
async function signIn() {
  say(`open ${authProvider.asked}`);
  await transport.finishAuth(new URL(await line()).searchParams);
}

async function connected() {
  for (;;) {
    transport = new StreamableHTTPClientTransport(new URL(url), { authProvider });
    const client = new Client({ name: 'example', version: '1.0.0' });
    try {
      await client.connect(transport);
      return client;
    } catch (error) {
      if (!(error instanceof UnauthorizedError)) throw error;
      await signIn();
    }
  }
}

async function call(client, name) {
  const once = async () => (await client.callTool({ name, arguments: {} })).content[0].text;
  try {
    return await once();
  } catch (error) {
    if (!(error instanceof UnauthorizedError)) throw error;
    await signIn();
    return once();
  }
}

const client = await connected();
say({ whoami: await call(client, 'whoami') });
if (scenario === 'refresh') {
  say('ready');
  await line();
  say({ at_once: await Promise.all(Array.from({ length: AT_ONCE }, () => call(client, 'whoami'))) });
} else if (env.READS_ONLY === undefined) {
  say({ write: await call(client, 'write') });
}
await client.close();
process.exit(0);
