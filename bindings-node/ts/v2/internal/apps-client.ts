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

/** Why a page is not shown, or its call not made. */
export type AppRefusal = 'page' | 'unknown' | 'not_for_apps';

/** Thrown when a page must not be shown, or a call that it asks for must not be made. */
export class AppError extends SdkError {
  /**
   * `page`: what the server sent is no page that may be shown. `unknown`: the page's server has no such
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

/** A page, and how it is to be shown: in a sandboxed frame, under its policy. */
export interface AppPage {
  /** Its URI. */
  uri: string;
  /** The document. */
  html: string;
  /**
   * The `Content-Security-Policy` it is shown under: nothing but the page itself, and the origins it
   * declares.
   */
  policy: string;
  /** The `allow` attribute of a frame that grants all it asks for; a host may grant less. */
  allow: string;
  /** What it declares that is no origin, and has no effect. */
  ignored: string[];
  /** The origin it wants to be shown on, in the host's own form. */
  domain: string | null;
  /** Whether it wants a border; `null`: the host decides. */
  border: boolean | null;
}

interface ToolUi {
  page: string | null;
  model: boolean;
  app: boolean;
}

const uiOf = (tool: Tool): ToolUi => decided('tool', { tool });

/**
 * The pages of one server. A page lives with the connection it came from: it can call the tools of
 * that server, and no other's.
 *
 * ```ts
 * const apps = new AppsClient(client);
 * const page = await apps.page(tool);
 * ```
 */
export class AppsClient {
  readonly #client: Client;

  /**
   * The pages of the server of a connected client.
   *
   * @param client - The client.
   */
  constructor(client: Client) {
    this.#client = client;
  }

  /** The tools that a model may be told of: those whose visibility names it. */
  async modelTools(): Promise<Tool[]> {
    return (await this.#tools()).filter((tool) => uiOf(tool).model);
  }

  /**
   * The page that shows the results of a tool; `undefined` if it has none.
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
