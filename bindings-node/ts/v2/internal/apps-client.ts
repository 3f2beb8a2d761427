/**
 * Pages of a server, for a host. Owns: asking for tools and pages, and refusing what a host must
 * refuse. Must not know: the rules of that, which the engine knows; browsers and models.
 */
import { native } from '../../engine/native';
import type { CallToolResult, Tool } from '../../protocol/types';
import type { Client } from './client';
import type { ClientExtension } from './client-extension';
import { SdkError, SdkErrorCode } from './errors';

function decided<T>(name: string, given: object): T {
  return JSON.parse(native.appDecision(name, JSON.stringify(given))) as T;
}

/** Tells servers that this client shows pages: `extend(client, showsApps())`. */
export const showsApps = (): ClientExtension => decided('extension', {});

/** Why a page is not shown, or its call is not made. */
export type AppRefusal = 'page' | 'unknown' | 'not_for_apps';

/** Thrown when a page must not be shown, or a call that it asks for must not be made. */
export class AppError extends SdkError {
  /**
   * `page`: the server sent no page that may be shown. `unknown`: the page's server has no such
   * tool. `not_for_apps`: the tool's visibility does not name `app`.
   */
  readonly reason: AppRefusal;

  /**
   * Creates an error.
   *
   * @param reason - What is wrong, as a code.
   * @param message - What is wrong, for people.
   */
  constructor(reason: AppRefusal, message: string) {
    super(SdkErrorCode.InvalidResult, message, { reason });
    this.name = 'AppError';
    this.reason = reason;
  }
}

/** A page. Show it in a sandboxed frame with its policy. */
export interface AppPage {
  /** The page's URI. */
  uri: string;
  /** The HTML document. */
  html: string;
  /**
   * The `Content-Security-Policy` for the frame: it allows the page itself and the origins that the page
   * declares.
   */
  policy: string;
  /** The value of the frame's `allow` attribute that grants all that the page asks for; a host may grant less. */
  allow: string;
  /** The texts that the page declares as origins although they are none; they have no effect. */
  ignored: string[];
  /** The origin that the page asks to be shown on, in the host's own form; `null` if it asks for none. */
  domain: string | null;
  /** Whether the page wants a border; `null` if the host decides. */
  border: boolean | null;
}

interface ToolUi {
  page: string | null;
  model: boolean;
  app: boolean;
}

const uiOf = (tool: Tool): ToolUi => decided('tool', { tool });

/**
 * The pages of one server, for a host. A page belongs to the connection it came from: it can call tools of
 * that server only.
 *
 * ```ts
 * const apps = new AppsClient(client);
 * const page = await apps.page(tool);
 * ```
 */
export class AppsClient {
  readonly #client: Client;

  /**
   * Creates it for the server of a connected client.
   *
   * @param client - The client.
   */
  constructor(client: Client) {
    this.#client = client;
  }

  /** Lists the tools that a model may use: those whose visibility includes `model`. */
  async modelTools(): Promise<Tool[]> {
    return (await this.#tools()).filter((tool) => uiOf(tool).model);
  }

  /**
   * Reads the page that shows the results of a tool; `undefined` if the tool has none.
   *
   * @param tool - The tool, as this server listed it.
   * @throws AppError if what the server sent must not be shown.
   */
  async page(tool: Tool): Promise<AppPage | undefined> {
    const { page: uri } = uiOf(tool);
    if (uri === null) return undefined;
    const result = await this.#client.readResource({ uri });
    const found = decided<Omit<AppPage, 'uri'> | { refused: string }>('page', { uri, result });
    if ('refused' in found) throw new AppError('page', found.refused);
    return { uri, ...found };
  }

  async #tools(): Promise<Tool[]> {
    return (await this.#client.listTools()).tools as Tool[];
  }

  /**
   * Makes a call that a page of this server asks for.
   *
   * @param name - The tool's name, as the page gives it.
   * @param args - The tool's arguments, as the page gives them. Default: none.
   * @throws AppError if the server has no such tool or it is not for pages; nothing was called.
   */
  async call(name: string, args?: Record<string, unknown>): Promise<CallToolResult> {
    const verdict = decided<'allowed' | 'unknown' | 'not_for_apps'>('call', { tools: await this.#tools(), name });
    if (verdict === 'unknown') throw new AppError('unknown', `the server of the page has no tool ${name}`);
    if (verdict === 'not_for_apps') throw new AppError('not_for_apps', `the tool ${name} is not for pages`);
    return (await this.#client.callTool({ name, ...(args && { arguments: args }) })) as CallToolResult;
  }
}
