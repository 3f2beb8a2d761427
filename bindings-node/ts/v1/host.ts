/**
 * `Host`: clients of several servers, with their tools merged into one list.
 *
 * Owns: which servers there are, the merged list, keeping it fresh. Must not know: how a server is
 * reached, which a `Client` does, or by which rule tools are told apart, which the engine knows.
 */
import { readFile } from 'node:fs/promises';
import { Client, type ClientOptions, type ClientSession } from './client';
import { SSEClientTransport } from '../common/client/sse';
import { StdioClientTransport } from '../common/client/stdio';
import { StreamableHTTPClientTransport } from '../common/client/streamable-http';
import type { OAuth } from '../common/oauth/sign-in';
import { LISTENS } from '../engine/client/changes';
import { UsageError } from '../engine/errors';
import { native } from '../engine/native';
import { Refreshes } from './refreshes';
import type { RequestOptions } from '../common/peer/protocol';
import type { Transport } from '../protocol/transport';
import type { CallToolResult, Implementation, Tool } from '../protocol/types';

/** One entry of an `mcpServers` object: a program to run, or a URL. */
export interface HostServerConfig {
  /** The program to run. */
  command?: string;
  /** The program's arguments. Default: none. */
  args?: string[];
  /** Environment variables for the program. It inherits only a few of this process, such as `PATH` and `HOME`. */
  env?: Record<string, string>;
  /** The working directory of the program. Default: that of this process. */
  cwd?: string;
  /** The server's URL, for a server that is not a program. */
  url?: string;
  /** Headers sent with every request to the URL. Default: none. */
  headers?: Record<string, string>;
  /**
   * How to sign in where the server behind the URL wants a token: `oauth` opens the user's browser and stores
   * tokens in a file; an `OAuth` does the same with other options. Default: no sign-in.
   */
  auth?: 'oauth' | OAuth;
  /** `sse` for a server that speaks HTTP+SSE (2024-11-05); other values have no effect. */
  type?: string;
  /** Whether to skip this server. Default: false. */
  disabled?: boolean;
}

/** The configuration file that desktop hosts use. */
export interface HostConfig {
  /** The servers by name. */
  mcpServers: Record<string, HostServerConfig>;
}

/** A tool of one of a host's servers. */
export interface HostTool {
  /**
   * The tool's name in the host: its own, or `server_name` if several servers have a tool of that name, or if another
   * tool got that name in this way.
   */
  name: string;
  /** The name of the tool's server. */
  server: string;
  /** The tool as its server describes it. */
  tool: Tool;
}

/** Options of a `Host`: those of its clients, and callbacks. */
export type HostOptions = ClientOptions & {
  /** Called with each client before it connects, e.g. to set handlers for elicitation. Default: none. */
  prepare?: (client: Client, server: string) => void;
  /** Called with the new list when the merged list of tools changes. Default: none. */
  onToolsChanged?: (tools: HostTool[]) => void;
  /** Called with errors of a server that belong to no request, and the server's name. Default: they are ignored. */
  onError?: (error: Error, server: string) => void;
};

/** What the engine calls the tools of several servers. */
interface Named {
  /** For each server a name for each of its tools; `null` for one that is left out. */
  names: (string | null)[][];
  /** The names that stand for no tool, with why. */
  refusals: Record<string, string>;
}

interface Entry {
  client: Client;
  tools: Tool[];
}

/**
 * Connects to several servers and offers their tools in one list. A server that fails never blocks
 * the others.
 *
 * @example
 * ```ts
 * const host = new Host({ name: 'host', version: '1.0.0' });
 * const failed = await host.addConfig('servers.json');
 * for (const { name, tool } of host.tools()) console.log(name, tool.description);
 * await host.callTool('search', { query: 'rust' });
 * await host.close();
 * ```
 */
export class Host {
  readonly #info: Implementation;
  readonly #options: HostOptions;
  // In the order in which they were added; `undefined` while a server connects.
  readonly #servers = new Map<string, Entry | undefined>();
  // The clients that connect, each under the name that it gets; another one takes the place of the first.
  readonly #adding = new Map<string, Client>();
  // Clients that are being added, and heard that their list has changed meanwhile.
  readonly #stale = new WeakSet<Client>();

  /**
   * Creates a host without servers. Its clients use this name and version.
   * @param info - The name and version of this program, sent to servers.
   * @param options - Options for the clients, and functions that are called when tools change or a server
   *   fails. Default: none.
   */
  constructor(info: Implementation, options: HostOptions = {}) {
    this.#info = info;
    this.#options = options;
  }

  /**
   * Connects to a server under a name and lists its tools. A server of the same name is replaced, also one that is
   * still being added.
   *
   * @param name - The name that the host has for the server.
   * @param server - A URL, a command, or an entry of an `mcpServers` object.
   * @throws the error that kept it from connecting, which may be that it was removed or replaced meanwhile.
   */
  async add(name: string, server: HostServerConfig | Transport): Promise<ClientSession> {
    const transport = 'start' in server ? server : transportOf(server);
    const client = this.client(name);
    const before = this.#adding.get(name);
    this.#adding.set(name, client);
    if (!this.#servers.has(name)) this.#servers.set(name, undefined);
    void before?.close();
    let old: Entry | undefined;
    try {
      await this.wanted(name, client, client.connect(transport));
      // Before they are listed, so that no change is missed.
      await this.wanted(name, client, client[LISTENS]());
      const tools = await this.wanted(name, client, toolsOf(client));
      old = this.#servers.get(name);
      this.#servers.set(name, { client, tools });
      this.#adding.delete(name);
    } catch (error) {
      if (this.#adding.get(name) === client) {
        this.#adding.delete(name);
        if (this.#servers.get(name) === undefined) this.#servers.delete(name);
      }
      await client.close();
      throw error;
    }
    await old?.client.close();
    this.changed();
    if (this.#stale.delete(client)) void this.refresh(name, client);
    return client.session!;
  }

  /**
   * Connects to all servers of an `mcpServers` object, or of a JSON file that holds one, at the
   * same time.
   *
   * @param config - The `mcpServers` object, or the path of a file.
   * @returns the errors of the servers that failed, by name.
   * @throws if `config` has no valid `mcpServers` object.
   */
  async addConfig(config: HostConfig | string | URL): Promise<Map<string, Error>> {
    const { mcpServers } = typeof config === 'object' && !(config instanceof URL) ? config : await readConfig(config);
    if (typeof mcpServers !== 'object' || mcpServers === null) throw new UsageError(-32602, 'there is no mcpServers object');
    const failed = new Map<string, Error>();
    const servers = Object.entries(mcpServers).filter(([, server]) => !server.disabled);
    const outcomes = await Promise.allSettled(servers.map(([name, server]) => this.add(name, server)));
    outcomes.forEach((outcome, at) => {
      if (outcome.status === 'rejected') failed.set(servers[at]![0], outcome.reason as Error);
    });
    return failed;
  }

  /** The names of the servers that are connected, in the order they were added. */
  servers(): string[] {
    return [...this.#servers].flatMap(([name, entry]) => (entry === undefined ? [] : [name]));
  }

  /**
   * The session of a server; `undefined` if no server of that name is connected.
   * @param server - The server's name.
   */
  session(server: string): ClientSession | undefined {
    return this.#servers.get(server)?.client.session;
  }

  /**
   * All tools of the connected servers, each under a name that no other has. A name that several servers use gets
   * the server's name as a prefix, and so does one that another tool gets in this way. Tools whose names are the
   * same even then are left out, and `callTool` says so.
   */
  tools(): HostTool[] {
    return this.merged().tools;
  }

  /** All tools, and the names that stand for none although servers have such tools, with why. */
  private merged(): { tools: HostTool[]; refusals: Map<string, string> } {
    const live = [...this.#servers].filter(([, entry]) => entry !== undefined && entry.client.transport !== undefined);
    const given = live.map(([name, entry]) => ({ name, tools: entry!.tools.map((tool) => tool.name) }));
    const { names, refusals } = JSON.parse(native.hostNames(JSON.stringify(given))) as Named;
    const tools = live.flatMap(([server, entry], which) =>
      entry!.tools.flatMap((tool, at) => {
        const name = names[which]![at];
        return typeof name === 'string' ? [{ name, server, tool }] : [];
      }),
    );
    return { tools, refusals: new Map(Object.entries(refusals)) };
  }

  /**
   * The tool with this name in the host.
   * @param name - The tool's name in the host.
   */
  find(name: string): HostTool | undefined {
    return this.tools().find((tool) => tool.name === name);
  }

  /**
   * Calls a tool by its name in the host.
   *
   * @param name - The tool's name in the host.
   * @param args - The arguments by name.
   * @param options - Time-out, abort signal, progress callback and so on. Default: none.
   * @throws if no server has a tool of that name, or several would have it, and whatever `Client.callTool` throws.
   */
  async callTool(name: string, args?: Record<string, unknown>, options?: RequestOptions): Promise<CallToolResult> {
    const { tools, refusals } = this.merged();
    const found = tools.find((tool) => tool.name === name);
    if (found === undefined) throw new UsageError(-32602, refusals.get(name) ?? `no server has a tool ${name}`);
    const params = { name: found.tool.name, ...(args !== undefined && { arguments: args }) };
    return this.#servers.get(found.server)!.client.callTool(params, undefined, options);
  }

  /**
   * Closes the connection to a server and removes it.
   * @param server - The server's name.
   */
  async remove(server: string): Promise<void> {
    const clients = [this.#servers.get(server)?.client, this.#adding.get(server)];
    this.#adding.delete(server);
    if (!this.#servers.delete(server)) return;
    await Promise.all(clients.map((client) => client?.close()));
    this.changed();
  }

  /** Closes all connections. */
  async close(): Promise<void> {
    const clients = [...[...this.#servers.values()].map((entry) => entry?.client), ...this.#adding.values()];
    this.#servers.clear();
    this.#adding.clear();
    await Promise.all(clients.map((client) => client?.close()));
  }

  /** Same as `close`, for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** What a client that is being added has done, unless the name is no longer for it. */
  private async wanted<T>(name: string, client: Client, done: Promise<T>): Promise<T> {
    const result = await done;
    if (this.#adding.get(name) !== client) throw new UsageError(-32602, `${name} was removed or replaced while it connected`);
    return result;
  }

  private client(name: string): Client {
    const { prepare, onToolsChanged: _, onError, ...options } = this.#options;
    const client = new Client(this.#info, {
      ...options,
      listChanged: {
        ...options.listChanged,
        tools: { autoRefresh: false, debounceMs: 0, onChanged: () => refreshes.noticed() },
      },
    });
    const refreshes = new Refreshes(() => this.refresh(name, client));
    client.onerror = (error) => onError?.(error, name);
    client.onclose = () => {
      refreshes.stop();
      this.changed();
    };
    prepare?.(client, name);
    return client;
  }

  private async refresh(name: string, client: Client): Promise<void> {
    if (this.#servers.get(name)?.client !== client) {
      // The list that was asked for first may be older than this.
      this.#stale.add(client);
      return;
    }
    try {
      const tools = await toolsOf(client);
      const entry = this.#servers.get(name);
      if (entry?.client !== client) return;
      entry.tools = tools;
      this.changed();
    } catch (error) {
      this.#options.onError?.(error as Error, name);
    }
  }

  private changed(): void {
    this.#options.onToolsChanged?.(this.tools());
  }
}

async function readConfig(path: string | URL): Promise<HostConfig> {
  const text = await readFile(path, 'utf8');
  try {
    return JSON.parse(text) as HostConfig;
  } catch (error) {
    throw new UsageError(-32602, `${path} is no JSON: ${(error as Error).message}`);
  }
}

function transportOf({ command, args, env, cwd, url, headers, auth, type }: HostServerConfig): Transport {
  if ((command === undefined) === (url === undefined)) {
    throw new UsageError(-32602, 'a server has either a command or a url');
  }
  if (command !== undefined) return new StdioClientTransport({ command, args, env, cwd });
  const options = { requestInit: { headers: { ...headers } }, ...(auth !== undefined && { auth }) };
  const place = new URL(url!);
  return type === 'sse' ? new SSEClientTransport(place, options) : new StreamableHTTPClientTransport(place, options);
}

/** Lists all pages of tools; the engine refuses a list that does not end. */
async function toolsOf(client: Client): Promise<Tool[]> {
  if (!client.getServerCapabilities()?.tools) return [];
  const tools: Tool[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.listTools(cursor === undefined ? undefined : { cursor });
    for (const tool of page.tools) tools.push(tool);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return tools;
}
