// A program that signs in, in the ways that are in no official package.
import { Host, OAuth as OAuthOfRoot, StreamableHTTPClientTransport as OfRoot } from 'mcpbolt';
import { auth, FileTokenStorage, LoopbackRedirect, OAuth, type OAuthClientProvider, type OAuthOptions } from 'mcpbolt/client/auth.js';
import { Client } from 'mcpbolt/client/index.js';
import { SSEClientTransport } from 'mcpbolt/client/sse.js';
import { StreamableHTTPClientTransport } from 'mcpbolt/client/streamableHttp.js';
import * as v2 from 'mcpbolt/v2/client';

const url = 'https://mcp.example.com/mcp';
const options: OAuthOptions = { folder: 'kept', redirect: { port: 33418, openBrowser: console.log, timeout: 1000 }, scope: 'read' };
const own = new OAuth('Example', options);
const client = new Client({ name: 'example', version: '1.0.0' });
await client.connect(new StreamableHTTPClientTransport(url, { auth: 'oauth' }));
await client.connect(new SSEClientTransport(url, { auth: own }));
await client.connect(new OfRoot(url, { auth: new OAuthOfRoot() }));
await new v2.Client({ name: 'example', version: '1.0.0' }).connect(
  new v2.StreamableHTTPClientTransport(new URL(url), { auth: new v2.OAuth('Example', { dpop: await v2.DpopSession.create() }) }),
);
await new Host({ name: 'host', version: '1.0.0' }).add('server', { url, auth: 'oauth' });
await own.signOut(url, { fetchFn: fetch });

// @ts-expect-error a token is no sign-in
new StreamableHTTPClientTransport(url, { auth: 'token' });

class MyProvider implements OAuthClientProvider {
  readonly #redirect = new LoopbackRedirect();
  readonly #storage = new FileTokenStorage(url);
  get redirectUrl() {
    return this.#redirect.redirectUrl;
  }
  get clientMetadata() {
    return { client_name: 'Mine', redirect_uris: [this.redirectUrl] };
  }
  tokens = () => this.#storage.tokens();
  saveTokens = (tokens: v2.OAuthTokens) => this.#storage.saveTokens(tokens);
  clientInformation = () => this.#storage.clientInformation();
  saveClientInformation: NonNullable<OAuthClientProvider['saveClientInformation']> = (given) => this.#storage.saveClientInformation(given);
  redirectToAuthorization = (address: URL) => this.#redirect.show(address);
  waitForRedirect = () => this.#redirect.wait();
  exclusively = <T,>(work: () => Promise<T>) => this.#storage.exclusively(work);
  saveCodeVerifier = () => undefined;
  codeVerifier = () => '';
}

const outcome: 'AUTHORIZED' | 'REDIRECT' = await auth(new MyProvider(), { serverUrl: url });
const provider: OAuthClientProvider = own.provider(url);
console.log(outcome, provider.clientMetadata.client_name);
