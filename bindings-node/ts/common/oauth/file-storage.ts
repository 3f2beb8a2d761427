/**
 * Tokens and credentials in a file, for programs that start again. Not in the official packages.
 *
 * Owns: where the folder is, and what a provider is given of the file. Must not know: files and locks,
 * which are the engine's; when something is stored.
 */
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { native, type NativeTokenFile } from '../../engine/native';
import type { OAuthClientInformationMixed, OAuthTokens } from '../../protocol/auth';
import { flowErrorOf, told } from './asking-machine';

/** How long a thread waits for the lock before it asks anew, in seconds. */
const PATIENCE = 60;

/**
 * Stores the tokens and credentials for one server in a file that only the user can read, in plain text.
 * The file is replaced as a whole, and locked inside of `exclusively`: programs that share it make one
 * refresh. Programs in other languages on this engine can share it too. Its functions have the names and
 * the meaning of those of an `OAuthClientProvider`, which can pass calls on to them.
 *
 * @example
 * ```ts
 * const storage = new FileTokenStorage('https://mcp.example.com/mcp');
 * ```
 */
export class FileTokenStorage {
  /** The folder of the file. */
  readonly folder: string;
  readonly #file: NativeTokenFile;

  /**
   * Creates a storage. Nothing is read or written yet.
   * @param serverUrl - The URL of the MCP server's endpoint.
   * @param folder - The folder of the file, made and closed to other users when it is needed; on Windows one
   *   that is there already must be the user's own. Default: `~/.local/state/mcpbolt/credentials` on Linux,
   *   which the program `mcpbolt` uses too; the usual place for such data on other systems.
   * @throws {OAuthClientFlowError} If `serverUrl` is no URL of a server.
   */
  constructor(serverUrl: string | URL, folder?: string) {
    this.folder = resolve(folder ?? defaultFolder());
    try {
      this.#file = new native.TokenFile(this.folder, String(serverUrl));
    } catch (error) {
      throw flowErrorOf(error);
    }
  }

  /**
   * Returns the stored tokens; `undefined` if there are none. `expires_in` is what is left, in seconds.
   * @throws {OAuthClientFlowError} If the file cannot be read.
   */
  async tokens(): Promise<OAuthTokens | undefined> {
    const found = read<OAuthTokens>(await told(() => this.#file.tokens()));
    if (found === undefined) return undefined;
    // They are shown to no other issuer than the client that got them.
    const client = (await this.clientInformation()) as { issuer?: string } | undefined;
    return { ...found, ...(client?.issuer !== undefined && { issuer: client.issuer }) };
  }

  /**
   * Stores tokens. With an empty `access_token`, forgets them.
   * @param tokens - The tokens.
   * @throws {OAuthClientFlowError} If the file cannot be written.
   */
  async saveTokens(tokens: OAuthTokens): Promise<void> {
    await told(() => this.#file.saveTokens(JSON.stringify(tokens)));
  }

  /**
   * Returns the stored credentials of the client; `undefined` before it has registered.
   * @throws {OAuthClientFlowError} If the file cannot be read.
   */
  async clientInformation(): Promise<OAuthClientInformationMixed | undefined> {
    return read(await told(() => this.#file.client()));
  }

  /**
   * Stores the client's credentials. Tokens of another client are forgotten.
   * @param clientInformation - The client's id, and the secret if it has one.
   * @throws {OAuthClientFlowError} If the file cannot be written.
   */
  async saveClientInformation(clientInformation: OAuthClientInformationMixed): Promise<void> {
    await told(() => this.#file.saveClient(JSON.stringify(clientInformation)));
  }

  /**
   * Waits until no other program is inside of this function for the same file, then runs `work`.
   * @param work - What is to be done meanwhile.
   * @returns what `work` returns.
   * @throws {OAuthClientFlowError} If the file cannot be locked; and what `work` throws.
   */
  async exclusively<T>(work: () => Promise<T>): Promise<T> {
    let held: { release(): void } | null = null;
    while (held === null) held = await told(() => this.#file.lock(PATIENCE));
    try {
      return await work();
    } finally {
      held.release();
    }
  }
}

/** What is in the file; members without a value are left out, as they are in answers of servers. */
function read<T extends object>(text: string | null): T | undefined {
  if (text === null) return undefined;
  const members = Object.entries(JSON.parse(text) as T).filter(([, value]) => value !== null);
  return Object.fromEntries(members) as T;
}

/** Where the program `mcpbolt` stores tokens. */
export function defaultFolder(): string {
  const { LOCALAPPDATA, XDG_STATE_HOME } = process.env;
  const places: Record<string, string> = {
    win32: LOCALAPPDATA || homedir(),
    darwin: join(homedir(), 'Library', 'Application Support'),
  };
  return join(places[process.platform] ?? (XDG_STATE_HOME || join(homedir(), '.local', 'state')), 'mcpbolt', 'credentials');
}
