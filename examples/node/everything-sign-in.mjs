// Signing in where no user is there: the conformance suites answer in their place.

import {
  Client,
  ClientCredentialsProvider,
  CrossAppAccessProvider,
  DpopSession,
  PrivateKeyJwtProvider,
  requestJwtAuthorizationGrant,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from 'mcpbolt/v2/client';

/** Nothing listens there: the answer is read from where the browser would be sent. */
const REDIRECT_URL = 'http://localhost:3000/callback';
/** The one document that the suites know. */
const METADATA_URL = 'https://conformance-test.local/client-metadata.json';
/** A server that refuses again and again what it was granted does not get it granted for ever. */
const MOST_RETURNS = 2;

/** A user who agrees to everything, and a store that ends with the program. */
class Visitor {
  redirectUrl = REDIRECT_URL;
  clientMetadata = { client_name: 'mcpbolt-everything-client', redirect_uris: [REDIRECT_URL] };
  #kept = {};

  constructor(client, members) {
    this.#kept.client = client;
    Object.assign(this, members);
  }

  clientInformation = () => this.#kept.client;
  saveClientInformation = (client) => void (this.#kept.client = client);
  tokens = () => this.#kept.tokens;
  codeVerifier = () => this.#kept.verifier;
  saveCodeVerifier = (verifier) => void (this.#kept.verifier = verifier);
  discoveryState = () => this.#kept.found;
  saveDiscoveryState = (found) => void (this.#kept.found = found);
  invalidateCredentials = (scope) => scope === 'all' ? (this.#kept = {}) : delete this.#kept[scope];

  /** What was found holds while the user is away: servers move. */
  saveTokens(tokens) {
    this.#kept.tokens = tokens;
    this.#kept.found = undefined;
  }

  /** Goes where a user would be sent, and reads where it is sent back to. */
  async redirectToAuthorization(url) {
    const { headers } = await fetch(url, { redirect: 'manual' });
    this.cameBackWith = new URL(headers.get('location') ?? '').searchParams;
  }
}

/**
 * What signs in as the scenario wants to see it.
 *
 * @returns {Promise<any>} a provider of one kind or another
 */
async function provider(scenario, given) {
  const { client_id: clientId, client_secret: clientSecret, issuer: expectedIssuer } = given;
  switch (scenario) {
    case 'auth/client-credentials-basic':
      return new ClientCredentialsProvider({ clientId, clientSecret, expectedIssuer });
    case 'auth/client-credentials-jwt':
      return new PrivateKeyJwtProvider({ clientId, privateKey: given.private_key_pem, algorithm: given.signing_algorithm, expectedIssuer });
    case 'auth/enterprise-managed-authorization':
    case 'auth/cross-app-access-complete-flow':
      return new CrossAppAccessProvider({ clientId, clientSecret, expectedIssuer, assertion: (asked) => companyGrant(given, asked) });
    case 'auth/wif-jwt-bearer':
      return workload(given.valid_jwt);
    default: {
      const client = clientId && { client_id: clientId, client_secret: clientSecret, issuer: expectedIssuer };
      const session = scenario.startsWith('auth/dpop') ? await DpopSession.create() : undefined;
      return new Visitor(client || undefined, {
        ...(scenario === 'auth/basic-cimd' && { clientMetadataUrl: METADATA_URL }),
        ...(scenario.startsWith('auth/2025-03-26') && { assumeEndpoints: true }),
        ...(session && { dpop: () => session }),
      });
    }
  }
}

/**
 * @param {any} given
 * @param {import('mcpbolt/v2/client').CrossAppAccessContext} asked
 */
async function companyGrant(given, { authorizationServerUrl: audience, resourceUrl: resource, scope, fetchFn }) {
  const { idp_token_endpoint: tokenEndpoint, idp_id_token: idToken, idp_client_id: clientId } = given;
  const { jwtAuthGrant } = await requestJwtAuthorizationGrant({ tokenEndpoint, audience, resource, idToken, clientId, scope, fetchFn });
  return jwtAuthGrant;
}

/** A program that its platform vouches for. */
function workload(assertion) {
  const grant = { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion };
  return new Visitor({ client_id: 'workload' }, {
    redirectUrl: undefined,
    // The assertion says who asks.
    addClientAuthentication: () => undefined,
    prepareTokenRequest: () => new URLSearchParams(grant),
  });
}

/** Does something at a server; a user who has to come back does so, and it is done again. */
async function signedIn(visitor, transport, body) {
  for (let returns = 0; ; returns++) {
    try {
      return await body();
    } catch (error) {
      const answer = visitor.cameBackWith;
      visitor.cameBackWith = undefined;
      if (!(error instanceof UnauthorizedError) || answer === undefined || returns === MOST_RETURNS) throw error;
      await transport().finishAuth(answer);
    }
  }
}

/** Signs in at a server, and uses what it then offers. */
export async function signIn(url, scenario, given, mode) {
  const authProvider = await provider(scenario, given);
  let client, transport;
  const connect = async () => {
    client = new Client({ name: 'mcpbolt-everything-client', version: '1.0.0' }, { versionNegotiation: { mode } });
    transport = new StreamableHTTPClientTransport(new URL(url), { authProvider });
    await client.connect(transport);
  };
  await signedIn(authProvider, () => transport, connect);
  await signedIn(authProvider, () => transport, () => client.listTools());
  await signedIn(authProvider, () => transport, () => client.callTool({ name: 'test-tool', arguments: {} }));
  await client.close();
}
