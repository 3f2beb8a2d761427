/**
 * `Host`: many servers under names, their tools in one list.
 *
 * Owns: which servers there are, the merged names, keeping lists fresh. Must not know: how
 * a server is reached; a `Client` does that.
 */
import { readFile } from 'node:fs/promises';
import { Client, type ClientOptions } from './client/index';
import { SSEClientTransport } from './client/sse';
import { StdioClientTransport } from './client/stdio';
import { StreamableHTTPClientTransport } from './client/streamableHttp';
import { UsageError } from './internal/errors';
import type { ClientSession } from './session';
import type { RequestOptions } from './shared/protocol';
import type { Transport } from './shared/transport';
import type { CallToolResult, Implementation, Tool } from './types';

/** A server of an `mcpServers` object: a program, or a URL. */
export interface HostServerConfig {
  /** The program to start. */
  command?: string;
  /** The arguments of the program. */
  args?: string[];
  /** Its environment, beside what programs need to start. */
  env?: Record<string, string>;
  /** The program's working directory. */
  cwd?: string;
  /** The server's URL, in place of a program. */
  url?: string;
  /** Sent with every request to that URL. */
  headers?: Record<string, string>;
  /** `sse` for servers of 2024 behind a URL; anything else says nothing new. */
  type?: string;
  /** Leaves the server out. */
  disabled?: boolean;
}

/** The configuration file of desktop hosts. */
export interface HostConfig {
  /** The servers by their names. */
  mcpServers: Record<string, HostServerConfig>;
}

/** A tool of one of a host's servers. */
export interface HostTool {
  /** Its name in the host: its own, or `server_name` if several servers have one of that name. */
  name: string;
  /** The name of the tool's server. */
  server: string;
  /** The tool as its server describes it. */
  tool: Tool;
}

/** Options of a `Host`: those of its clients, and a look at each before it connects. */
export type HostOptions = ClientOptions & {
  /** Sets a client's handlers, for instance of elicitation. */
  prepare?: (client: Client, server: string) => void;
  /** Told when the merged list is another. */
  onToolsChanged?: (tools: HostTool[]) => void;
  /** Told what goes wrong with a server beside its requests. */
  onError?: (error: Error, server: string) => void;
};

interface Entry {
  client: Client;
  tools: Tool[];
}

/**
 * Many servers, one list of tools. A server that fails never holds up the others.
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
  // In the order in which they were asked for; without an entry while they connect.
  readonly #servers = new Map<string, Entry | undefined>();

  /** Makes a host without servers; its clients introduce themselves with this name. */
  constructor(info: Implementation, options: HostOptions = {}) {
    this.#info = info;
    this.#options = options;
  }

  /**
   * Connects to a server under a name and learns its tools. A server of the same name is
   * replaced.
   *
   * @throws what keeps it from being reached.
   */
  async add(name: string, server: HostServerConfig | Transport): Promise<ClientSession> {
    const transport = 'start' in server ? server : transportOf(server);
    const old = this.#servers.get(name);
    if (old === undefined) this.#servers.set(name, undefined);
    const client = this.client(name);
    try {
      await client.connect(transport);
      const entry: Entry = { client, tools: await toolsOf(client) };
      this.#servers.set(name, entry);
    } catch (error) {
      if (this.#servers.get(name) === undefined) this.#servers.delete(name);
      await client.close();
      throw error;
    }
    await old?.client.close();
    this.changed();
    return client.session!;
  }

  /**
   * Connects to all servers of an `mcpServers` object, or of a file that holds one, at
   * once.
   *
   * @returns why those that failed did, by their names.
   * @throws if it is not such an object.
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

  /** The session of a server. */
  session(server: string): ClientSession | undefined {
    return this.#servers.get(server)?.client.session;
  }

  /** All tools of all live servers. Names that several servers use get their server's name in front. */
  tools(): HostTool[] {
    const live = [...this.#servers].filter(([, entry]) => entry !== undefined && entry.client.transport !== undefined);
    const all = live.flatMap(([server, entry]) => entry!.tools.map((tool) => ({ server, tool })));
    const uses = new Map<string, number>();
    for (const { tool } of all) uses.set(tool.name, (uses.get(tool.name) ?? 0) + 1);
    return all.map(({ server, tool }) => {
      const name = uses.get(tool.name) === 1 ? tool.name : `${server}_${tool.name}`;
      return { name, server, tool };
    });
  }

  /** Finds a tool by the name it has in the host. */
  find(name: string): HostTool | undefined {
    return this.tools().find((tool) => tool.name === name);
  }

  /**
   * Calls a tool by its name in the host.
   *
   * @throws if no server has one of that name, and as `Client.callTool`.
   */
  async callTool(name: string, args?: Record<string, unknown>, options?: RequestOptions): Promise<CallToolResult> {
    const found = this.find(name);
    if (found === undefined) throw new UsageError(-32602, `no server has a tool ${name}`);
    const params = { name: found.tool.name, ...(args !== undefined && { arguments: args }) };
    return this.#servers.get(found.server)!.client.callTool(params, undefined, options);
  }

  /** Closes the connection to a server and forgets it. */
  async remove(server: string): Promise<void> {
    const entry = this.#servers.get(server);
    if (!this.#servers.delete(server)) return;
    await entry?.client.close();
    this.changed();
  }

  /** Closes all connections. */
  async close(): Promise<void> {
    const all = [...this.#servers.values()];
    this.#servers.clear();
    await Promise.all(all.map((entry) => entry?.client.close()));
  }

  /** As `close`, for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  private client(name: string): Client {
    const { prepare, onToolsChanged: _, onError, ...options } = this.#options;
    const client = new Client(this.#info, {
      ...options,
      listChanged: {
        ...options.listChanged,
        tools: { autoRefresh: false, debounceMs: 0, onChanged: () => void this.refresh(name, client) },
      },
    });
    client.onerror = (error) => onError?.(error, name);
    client.onclose = () => this.changed();
    prepare?.(client, name);
    return client;
  }

  private async refresh(name: string, client: Client): Promise<void> {
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

function transportOf({ command, args, env, cwd, url, headers, type }: HostServerConfig): Transport {
  if ((command === undefined) === (url === undefined)) {
    throw new UsageError(-32602, 'a server has either a command or a url');
  }
  if (command !== undefined) return new StdioClientTransport({ command, args, env, cwd });
  const options = { requestInit: { headers: { ...headers } } };
  const place = new URL(url!);
  return type === 'sse' ? new SSEClientTransport(place, options) : new StreamableHTTPClientTransport(place, options);
}

/** All pages; the engine refuses a list that does not end. */
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
