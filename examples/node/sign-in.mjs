// A client for a server that wants to know whom it serves: the browser opens, the user signs in
// and agrees, and the client goes on with what the server offers.
//
// Shows: an authorization server found by the MCP server's own words, a client that registers by
// itself, or one that was registered by hand; the answer of the browser at a port of this machine;
// tokens that are kept and refreshed.
//
//     node examples/node/sign-in.mjs https://mcp.example.com/mcp
//     node examples/node/sign-in.mjs --client-id ID --port 33418 http://127.0.0.1:3000/mcp

import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { parseArgs } from 'node:util';
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from 'mcpbolt/v2/client';
import { textOf } from './common.mjs';

/** A user may look for the password. */
const PATIENCE_MS = 300_000;
/** What opens a page: a program and its first arguments. */
const OPENERS = new Map([
  ['darwin', ['open']],
  ['win32', ['rundll32', 'url.dll,FileProtocolHandler']],
]);

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** A tool without arguments, to call at the end. */
    call: { type: 'string' },
    /** A client that is registered already; without, it registers by itself. */
    'client-id': { type: 'string' },
    /** The authorization server where it is registered. */
    issuer: { type: 'string' },
    /** The port of its redirect URI; any free one by default. */
    port: { type: 'string', default: '0' },
    /** Only prints the URL to open. */
    'no-browser': { type: 'boolean', default: false },
  },
});

/** Where the user's browser comes back to: a port of this machine, where nobody else listens meanwhile. */
class Receiver {
  #server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const answers = url.pathname === '/callback';
    if (answers) this.#server.emit('answer', url.searchParams);
    // Nothing of the answer is shown: it may come from anybody.
    const [title, line] = answers
      ? ['Back to the program', 'You can close this window.']
      : ['Not here', 'Please begin again in the program.'];
    response.writeHead(answers ? 200 : 404, {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'",
      'referrer-policy': 'no-referrer',
      connection: 'close',
    });
    response.end(`<!doctype html><html lang=en><title>${title}</title><h1>${title}</h1><p>${line}</p></html>\n`);
  });

  /** Listens; the redirect URI. */
  async listen(port) {
    this.#server.listen(port, '127.0.0.1');
    await once(this.#server, 'listening');
    const address = /** @type {import('node:net').AddressInfo} */ (this.#server.address());
    return `http://127.0.0.1:${address.port}/callback`;
  }

  /** What the browser comes back with. Whether it is good is for the transport to say. */
  async answer() {
    const [parameters] = await once(this.#server, 'answer', { signal: AbortSignal.timeout(PATIENCE_MS) });
    return /** @type {URLSearchParams} */ (parameters);
  }

  close() {
    this.#server.close();
  }
}

/**
 * The user, the browser, and a store that ends with the program: somewhere else, tokens belong where
 * only the user reads them.
 */
class Person {
  #client;
  #tokens;
  #verifier = '';
  #state = randomUUID();
  /** @type {Promise<URLSearchParams> | undefined} */
  back;

  constructor(receiver, redirectUrl) {
    this.receiver = receiver;
    this.redirectUrl = redirectUrl;
    this.clientMetadata = {
      client_name: 'mcpbolt example',
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    };
    const client_id = options['client-id'];
    // Registered by hand, at this authorization server and no other.
    this.#client = client_id === undefined ? undefined : { client_id, issuer: options.issuer };
  }

  state = () => this.#state;
  clientInformation = () => this.#client;
  saveClientInformation = (client) => void (this.#client = client);
  tokens = () => this.#tokens;
  saveTokens = (tokens) => void (this.#tokens = tokens);
  codeVerifier = () => this.#verifier;
  saveCodeVerifier = (verifier) => void (this.#verifier = verifier);

  redirectToAuthorization(url) {
    this.back = this.receiver.answer();
    console.log(`To sign in, open ${url}`);
    if (options['no-browser']) return;
    const [program, ...first] = OPENERS.get(process.platform) ?? ['xdg-open'];
    // The URL is an argument, not a line for a shell.
    spawn(program, [...first, String(url)], { stdio: 'ignore', detached: true }).on('error', () => undefined).unref();
  }
}

/** Connects; a user who is asked to sign in does so first. */
async function connect(url, person) {
  for (;;) {
    const transport = new StreamableHTTPClientTransport(url, { authProvider: person });
    const client = new Client({ name: 'sign-in', version: '1.0.0' });
    try {
      await client.connect(transport);
      return client;
    } catch (error) {
      if (!(error instanceof UnauthorizedError) || person.back === undefined) throw error;
      await transport.finishAuth(await person.back);
      person.back = undefined;
    }
  }
}

if (positionals.length !== 1) throw new Error('which server? give its URL');
const receiver = new Receiver();
const person = new Person(receiver, await receiver.listen(Number(options.port)));
const client = await connect(new URL(positionals[0]), person);
for (const tool of (await client.listTools()).tools) console.log(`tool ${tool.name}: ${tool.description}`);
if (options.call !== undefined) {
  const { content } = await client.callTool({ name: options.call, arguments: {} });
  console.log(`${options.call}: ${textOf(content)}`);
}
await client.close();
receiver.close();
