/**
 * The engine's verbs, as the addon exports them. Owns: loading the addon, and converting the errors
 * it throws. Must not know: servers, clients, promises.
 *
 * Parameters named `params`, `result`, `options`, `plan`, `json`, `head` or `outcomes` are JSON
 * text. Calls, connections and requests are numbers.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { platformAddon } from './platforms';
import type { RegistryKind } from './registry';

/**
 * A batch as JSON text: an array of items, each an array that begins with its name. With long strings: the
 * text without them, the ways to their places as JSON text, and the strings.
 */
export type Taken = string | [text: string, ways: string, ...strings: string[]];

/** The queue of items for one event loop. */
export interface NativeInbox {
  /** Sets the function that is called when items wait. */
  onReady(drain: () => void): void;
  /** Takes items that wait. */
  take(maxItems: number, maxBytes: number): Taken;
  /** Completes calls and service questions: an array of `{id, result}`, `{id, error}` or `{id, input}`. */
  complete(outcomes: string): number;
  /** Completes a call with a result in pieces; see `pieces.ts`. Throws if they are not one JSON value. */
  completeInPieces(call: number, texts: readonly string[], strings: readonly string[]): boolean;
  send(target: number, method: string, params?: string): 'sent' | 'full' | 'gone';
  /** Asks the peer; the answer is a `response` item with this number. */
  requestInTurn(target: number, method: string, params?: string, plan?: string): number;
  /** Same as `requestInTurn`, with params in pieces. */
  requestInPieces(target: number, method: string, texts: readonly string[], strings: readonly string[], plan?: string): number;
  /** Makes a task of a call of one of our tools; the answer is a `response` item with this number. */
  beginTask(call: number): number;
  flush(call: number): boolean;
  drained(): void;
  cancel(request: number, reason?: string): boolean;
  closeStream(call: number): boolean;
  isCancelled(call: number): boolean;
  describe(call: number): string | null;
  describeConnection(connection: number): string | null;
  /** The counters of a client's connection, as JSON text. */
  connectionStats(connection: number): string | null;
  httpBody(request: number, bytes: Uint8Array, end: boolean): string;
  httpSent(request: number): string;
  httpDisconnect(request: number): boolean;
  httpRespond(request: number, status: number, headers: string, body: Uint8Array, end: boolean): boolean;
  httpWrite(request: number, bytes: Uint8Array, end: boolean): 'sent' | 'full' | 'gone';
  settle(timeout: number): boolean;
  openCalls(): number;
  waiting(): number;
  closeConnection(connection: number): boolean;
  close(): void;
}

/** A server whose handlers are JavaScript. */
export interface NativeServer {
  setSlot(method: string, host: boolean): void;
  setFastPath(on: boolean): void;
  setSnapshot(kind: string, generation: number, json: string): boolean;
  /** Whether a token needs scopes for anything. */
  hasScopes(): boolean;
  /** The challenge with which messages are refused whose token lacks scopes for any of them. */
  lacksScopes(messages: string, grant: string | undefined, isBound: boolean): string | null;
  listChanged(kind: RegistryKind, announce: boolean): boolean;
  refreshLists(): { kind: RegistryKind; generation: number }[];
  capabilities(): string;
  announce(change: string, uri?: string): void;
  connect(lines: boolean): number;
  feed(connection: number, bytes: string | Uint8Array, cause: number): string[];
  /**
   * Opens a connection with a stream per request. Its outgoing messages are `STREAM KIND TEXT`; the
   * kind is `r` (response), `n` (notification), `q` (request), `e` (ended without an answer) or `d`
   * (detached by `closeStream`). With a revision, no handshake is awaited.
   */
  connectStreams(revision?: string): number;
  feedStream(connection: number, stream: number, bytes: string | Uint8Array, cause: number): string[];
  /** A stream takes no more messages. */
  streamClosed(connection: number, stream: number): void;
  takeOutgoing(connection: number): string[];
  disconnect(connection: number): string[];
  listenStdio(): number;
  listenHttp(options: string): { listener: number; host: string; port: number; docs?: string };
  stopHttp(listener: number): boolean;
  mount(options: string, inbox: NativeInbox): NativeMount;
  /** The counters of all its connections, as JSON text. */
  stats(): string;
  close(): void;
}

/** An endpoint in the program's web server. */
export interface NativeMount {
  /** `[number, items]` as JSON text. */
  request(head: string, body: Uint8Array | undefined, cause: number): string;
  drain(): void;
  close(): void;
  sessions(): number;
}

/**
 * The HTTP rules for the official transports. A refusal is JSON text, `[status, code, message]`;
 * `null` means that the request may pass.
 */
export interface NativeTransportRules {
  guard(host: string | undefined, origin: string | undefined): string | null;
  /** `head` is an array: method, `Host`, `Origin`, `Accept`, `Content-Type`, revision and session. */
  head(head: string, isOpen: boolean, id: string | undefined): string | null;
  /** Once the messages of a POST are known: whether `initialize` is among them, and how many there are. */
  message(head: string, isOpen: boolean, id: string | undefined, opens: boolean, count: number): string | null;
  /**
   * Of `body_size`, `body_json`, `body_messages`, `batch_size`, `session`, `one_stream`, `one_reader`,
   * `event` or `replay`.
   */
  refusal(rule: string): string;
}

/** Connects to any number of servers with one set of options. */
export interface NativeClient {
  open(target: string): number;
  openFed(lines: boolean): number;
  /** The same for messages; those that have headers come with a line before them, a JSON object. */
  openFedHttp(): number;
  openMemory(server: NativeServer): number;
  initialize(connection: number, protocol?: string): number;
  discover(connection: number): number;
  adopt(connection: number, revision: string, discovered: string): void;
  feed(connection: number, bytes: string | Uint8Array): string[];
  takeOutgoing(connection: number): string[];
  disconnect(connection: number, reason?: string): void;
  close(): void;
}

/** A channel of whole messages to one server, without a session. */
export interface NativeTransport {
  readonly id: number;
  send(message: string): void;
  describe(): string;
  close(): void;
}

/** Turns the bytes of a `text/event-stream` into events. */
export interface NativeEventReader {
  /**
   * Returns JSON text of `[event, id, data]` rows; `["retry", null, seconds]` for a retry time, and
   * `["", id, null]` for an event that is too large.
   */
  feed(bytes: Uint8Array): string;
}

/** A JSON Schema; compiled on first use. */
export interface NativeSchema {
  /**
   * Validates a value. Returns `null` if it is valid, else JSON text: `[{keyword, instancePath,
   * schemaPath, message, expected}]`.
   */
  check(value: string): string | null;
}

/** A URI template as a row of texts and values. */
export interface NativeUriPattern {
  /** The values a URI has, in the order of the pattern; `null` if it does not match. */
  matches(uri: string): string[] | null;
}

/** Signs text so that clients can read but not change it. */
export interface NativeSigner {
  sign(body: string): string;
  /** The body of signed text. Throws an error whose message is `malformed` or `mac`. */
  open(text: string): string;
  /** A digest of an owner's name. */
  owner(name: string): string;
  isOwner(digest: string, name: string): boolean;
}

/**
 * The way to a token at one server, step by step; steps and events are JSON text. A step has `step`:
 * `fetch`, `remember`, `open_browser`, `ask_user`, `supply`, `store`, `send` or `fail`.
 */
export interface NativeAuthFlow {
  start(cause: string): string;
  take(event: string): string;
  /** Goes on with the answer to a request. */
  answered(status: number, body: Uint8Array): string;
  /** Notes that the server accepted the token for an operation. */
  accepted(operation: string): void;
  /** What the flow found so far. */
  found(): string;
  /** What the next flow with the server has to know. */
  save(): string;
}

/** What a server asks of the tokens that its program verifies; a refusal is data of the error it throws. */
export interface NativeBearerRules {
  /** The token in the value of `Authorization`. */
  token(authorization?: string): string;
  /** Throws unless a verified token is good here; `expiresAt` is in seconds since 1970. */
  judge(scopes: readonly string[], expiresAt?: number, resource?: string): void;
  /** The answer to a request that is refused, as JSON text. */
  answer(refused: string): string;
  /** The challenge for scopes that one operation needs. */
  challenge(description: string, scopes: readonly string[]): string;
}

/** What a server asks of tokens that the engine verifies. */
export interface NativeResourceServer {
  /** The path of its metadata, and what is there. */
  document(): [string, string];
  /**
   * Looks at a head, `{method, target, headers}`: the number of the token's claims, or `{status, headers}` of
   * a refusal; with `-` before it, the number of what has to be waited for.
   */
  check(head: string): string;
  wait(number: number): Promise<string>;
  /** What claims say, as JSON text; `null` once they are forgotten. */
  claims(number: number): string | null;
}

export interface NativeIdentityAssertions {
  /** `{granted}` or `{refused: {error, error_description}}`, as JSON text. */
  redeem(asked: string): Promise<string>;
}

export interface NativeClientDocuments {
  /** `{known: {client, host}}` or `{refused: {error, error_description}}`, as JSON text. */
  client(clientId: string): Promise<string>;
}

/** What is kept for one server in a folder; each verb waits on a thread of its own. */
export interface NativeTokenFile {
  /** JSON text of a token endpoint's answer: `expires_in` says what is left. */
  tokens(): Promise<string | null>;
  /** Without an access token they are forgotten. */
  saveTokens(answer: string): Promise<void>;
  /** JSON text of a registration endpoint's answer, with its issuer. */
  client(): Promise<string | null>;
  saveClient(information: string): Promise<void>;
  /** Nothing if another program holds it for longer than this many seconds. */
  lock(patience: number): Promise<{ release(): void } | null>;
}

/** A port of this machine that listens for one answer. */
export interface NativeRedirectPort {
  readonly redirectUri: string;
  /** Receives the answer to the request of this URL from now on. */
  visit(url: string): NativeRedirectWait;
  close(): void;
}

/** The answer of a browser. */
export interface NativeRedirectWait {
  /** The URL that it came back to; nothing within this many seconds, or once it is closed. */
  wait(patience: number): Promise<string | null>;
  close(): void;
}

/** One run of the command `mcpbolt`. */
export interface NativeCommand {
  /** Passes `SIGINT`, `SIGHUP` or `SIGTERM` on; `false` if the process has to end at once. */
  signal(name: string): boolean;
  /** Runs it on a thread of its own; `again` are the words that start it. */
  run(args: readonly string[], again: readonly string[], done: (code: number) => void): void;
}

/** What the addon exports. */
export interface Native {
  Inbox: new (maxItems?: number, maxBytes?: number) => NativeInbox;
  Server: new (options: string, inbox: NativeInbox) => NativeServer;
  Client: new (options: string, inbox: NativeInbox) => NativeClient;
  Command: new () => NativeCommand;
  Transport: new (target: string, inbox: NativeInbox) => NativeTransport;
  EventReader: new () => NativeEventReader;
  Schema: new (schema: string) => NativeSchema;
  Signer: new (key: Uint8Array) => NativeSigner;
  /** From options and what is kept; `saved` is what an earlier flow with the server left. */
  AuthFlow: new (options: string, stored: string, saved?: string) => NativeAuthFlow;
  /** From JSON text: `{words, required_scopes, resource, metadata_url}`. */
  BearerRules: new (options: string) => NativeBearerRules;
  /** From JSON text, by the names of the engine. */
  ResourceServer: new (options: string) => NativeResourceServer;
  /** From JSON text: the rules. */
  IdentityAssertions: new (rules: string) => NativeIdentityAssertions;
  /** From JSON text: `{this_machine, private_networks}`. */
  ClientDocuments: new (places: string) => NativeClientDocuments;
  /** Of a server in a folder; the file is made when something is kept. */
  TokenFile: new (folder: string, serverUrl: string) => NativeTokenFile;
  /** Listens on a port of `127.0.0.1`; 0 for a free one. */
  RedirectPort: new (port: number, path: string) => NativeRedirectPort;
  /** Has the browser of the system show a page. */
  openInBrowser(url: string): Promise<void>;
  /** Makes one decision of a flow. */
  authDecision(name: string, given: string): string;
  /** From JSON text: `{norm, sessions, max_body, max_batch, hosts, origins}`. */
  TransportRules: new (options: string) => NativeTransportRules;
  /** From JSON text: `{walk, pieces}`. */
  UriPattern: new (description: string) => NativeUriPattern;
  /** `[name, code shown for it, local, member of ErrorCode, code of 2.x]` rows as JSON text. */
  errorNames(): string;
  /** The headers that repeat a message over HTTP, as pairs; none in the legacy era. */
  messageHeaders(message: string): [string, string][];
  /** Whether a single message cannot bring along a header of this name. */
  isReservedHeader(name: string): boolean;
  /** Marks a state as used; throws if it was used before in this process. `expires` is in seconds since 1970. */
  takeState(number: string, expires: number): void;
  /** Makes one decision about apps. */
  appDecision(name: string, given: string): string;
  /** What the tools of several servers are called: `{names, refusals}` as JSON text, given `[{name, tools}]`. */
  hostNames(servers: string): string;
  /** Makes one decision about skills. */
  skillDecision(name: string, given: string): string;
  /** `sha256:` and 64 hexadecimal digits. */
  skillDigest(bytes: Uint8Array): string;
  /** Compares bytes with a skill's entry: JSON text, `{manifest}` or `{reason, message, differences}`. */
  verifySkill(skill: string, uri: string, bytes: Uint8Array): string;
  advance(seconds: number): void;
  askHost(inbox: NativeInbox, service: string, payload: string): { answered(): string | null };
}

function load(): Native {
  const chosen = process.env['MCPBOLT_ADDON'] ?? join(__dirname, '..', 'mcpbolt.node');
  return (existsSync(chosen) ? require(chosen) : platformAddon(require)) as Native;
}

/** The engine. */
export const native: Native = load();
