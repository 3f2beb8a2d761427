/**
 * Skills that a host reads. Owns: asking the server, and refusing what is not what its entry says.
 * Must not know: the rules of that, users and models.
 */
import type { RequestOptions } from '../../common/peer/types';
import type { ReadResourceResult } from '../../protocol/types';
import type { Client } from './client';
import type { CacheableRequestOptions } from './client-options';
import { clientSettings } from './client-settings';
import { SdkError, SdkErrorCode } from './errors';
import { allPages } from './pages';
import { textOf } from './skill-files';
import { canonicalUri, entryProblems, resolveFile, verifyFile } from './skill-rules';
import { oneSchema, pageSchema, type DirectoryResource, type Skill, type SkillCacheScope } from './skill-schemas';
import {
  RESOURCES_DIRECTORY_READ_METHOD,
  SKILLS_EXTENSION_ID,
  SKILLS_GET_METHOD,
  SKILLS_LIST_METHOD,
  skillsCapabilityOf,
} from './skills';

/** What differs between a file and its skill's entry. */
export type SkillVerificationReason = 'unlisted' | 'size' | 'digest' | 'frontmatter';

/** Thrown when a file does not match its skill's entry. The file must not be used. */
export class SkillVerificationError extends SdkError {
  /** What differs. */
  readonly reason: SkillVerificationReason;
  /** The URI of the file. */
  readonly uri: string;
  /** The differences in the frontmatter, one line each. */
  readonly differences: readonly string[];

  /**
   * Creates an error for a file.
   * @param reason - The check that failed.
   * @param uri - The URI of the file.
   * @param message - What is wrong.
   * @param differences - The differences in the frontmatter, one sentence each. Default: none.
   * @param options - The cause. Default: none.
   */
  constructor(reason: SkillVerificationReason, uri: string, message: string, differences: readonly string[] = [], options?: ErrorOptions) {
    super(SdkErrorCode.InvalidResult, message, { reason, uri, differences }, options);
    this.name = 'SkillVerificationError';
    this.reason = reason;
    this.uri = uri;
    this.differences = differences;
  }
}

/** Options of a `SkillsClient`. */
export interface SkillsClientOptions {
  /** Parses the YAML between the `---` lines of a `SKILL.md`. Default: the engine does. */
  parseFrontmatter?: (yaml: string) => Record<string, unknown>;
  /** Whether invalid entries are returned in `invalid` instead of thrown. Default: `false`. */
  skipInvalid?: boolean;
}

/** An entry of `skills/list` that is not valid. */
export interface InvalidSkillEntry {
  /** The position of the entry, counted over all pages. */
  index: number;
  /** The URI of the entry, if it has one. */
  uri?: string;
  /** What is wrong. */
  reason: string;
}

/** The skills of a server. */
export interface SkillListing {
  /** The valid entries. */
  skills: Skill[];
  /** The entries that are not valid; only with `skipInvalid`. */
  invalid: InvalidSkillEntry[];
  /** The cursor of the next page, if one page was asked for. */
  nextCursor?: string;
  /** How long the list may be cached, in milliseconds. */
  ttlMs?: number;
  /** Whether the cached list may be shared between users. */
  cacheScope?: SkillCacheScope;
}

/** A file of a skill, read and checked. */
export interface SkillFile {
  /** The URI of the file, as in the entry. */
  uri: string;
  /** The MIME type of the file. */
  mimeType?: string;
  /** The bytes of the file, over which the digest is computed. */
  bytes: Uint8Array;
  /** The text of the file, if the server sent text. */
  text?: string;
  /** Whether size and digest were checked; not for `"dynamic"` skills. */
  verified: boolean;
  /** The frontmatter, for the skill's own `SKILL.md`. */
  frontmatter?: Record<string, unknown>;
  /** The Markdown below the frontmatter, for the skill's own `SKILL.md`. */
  body?: string;
}

interface Hints {
  ttlMs?: number;
  cacheScope?: SkillCacheScope;
}

interface Page extends Hints {
  nextCursor?: string;
}

const FRONTMATTER = /^---\n([\s\S]*?)^---[\t ]*(?:\n|$)/m;

function hintsOf({ ttlMs, cacheScope }: Hints): Hints {
  return { ...(ttlMs !== undefined && { ttlMs }), ...(cacheScope !== undefined && { cacheScope }) };
}

/** What a reference means, whether the entry lists it or not. */
function resolved({ uri }: Skill, ref: string): string {
  if (!URL.canParse(ref, uri)) return ref;
  const meant = new URL(ref, uri);
  meant.hash = '';
  return meant.href;
}

function unsupported(method: string): SdkError {
  const words = `Server does not support the ${SKILLS_EXTENSION_ID} extension (required for ${method})`;
  return new SdkError(SdkErrorCode.CapabilityNotSupported, words);
}

function sorted(entries: unknown[]): { skills: Skill[]; invalid: InvalidSkillEntry[] } {
  const uris = entries.map((entry) => (entry as { uri?: unknown } | null)?.uri);
  const invalid: InvalidSkillEntry[] = [];
  const skills = entries.filter((entry, index): entry is Skill => {
    const uri = uris[index];
    const twice = typeof uri === 'string' && uris.filter((other) => other === uri).length > 1;
    const problems = [...entryProblems(entry), ...(twice ? ['the uri is listed more than once'] : [])];
    if (problems.length > 0) invalid.push({ index, ...(typeof uri === 'string' && { uri }), reason: problems.join('; ') });
    return problems.length === 0;
  });
  return { skills, invalid };
}

/**
 * Lists, gets and reads the skills of a server, and compares every file with its entry. Nothing is
 * fetched in advance. The host has to ask the user, show where a skill comes from, and decide whether to load
 * it, for which it can keep what `approveSkill` returns; `allowed-tools` has no effect here.
 *
 * ```ts
 * const skills = new SkillsClient(client);
 * const { skills: [skill] } = await skills.list();
 * const kept = approveSkill('docs', skill!); // once the user has seen it and agreed
 * // Another time:
 * if (isSkillApproved('docs', skill!, kept)) console.log((await skills.read(skill!)).body);
 * ```
 */
export class SkillsClient {
  readonly #client: Client;
  readonly #options: SkillsClientOptions;

  /**
   * Creates it for a client.
   * @param client - The client.
   * @param options - How to parse a `SKILL.md`, and what to do with invalid entries. Default: the engine parses
   *   it, and invalid entries throw.
   */
  constructor(client: Client, options: SkillsClientOptions = {}) {
    this.#client = client;
    this.#options = options;
  }

  /** Whether the server offers skills; `false` before the client is connected. */
  get supported(): boolean {
    const capabilities = this.#client.getServerCapabilities();
    if (skillsCapabilityOf(capabilities) === undefined) return false;
    return !clientSettings(this.#client).strict || capabilities?.resources !== undefined;
  }

  /** Whether the server lists directories. */
  get directoryRead(): boolean {
    return this.supported && skillsCapabilityOf(this.#client.getServerCapabilities())?.directoryRead === true;
  }

  /**
   * Lists skills: all pages, or one if there is a cursor.
   * @param params - The `cursor` of the page: the `nextCursor` of the page before. Default: the first page.
   * @param options - Time-out, abort signal, progress callback and so on. Default: none.
   */
  async list(params: { cursor?: string } = {}, options?: RequestOptions): Promise<SkillListing> {
    if (!this.supported) {
      if (clientSettings(this.#client).strict) throw unsupported(SKILLS_LIST_METHOD);
      return { skills: [], invalid: [] };
    }
    const page = await this.#pages<Page & { skills: unknown[] }>(SKILLS_LIST_METHOD, 'skills', {}, params.cursor, options);
    const { skills, invalid } = sorted(page.skills);
    if (invalid.length > 0 && !this.#options.skipInvalid) {
      const detail = invalid.map(({ index, uri, reason }) => `#${index} ${uri ?? ''}: ${reason}`).join('\n');
      throw new SdkError(SdkErrorCode.InvalidResult, `skills/list returned invalid entries:\n${detail}`, { invalid });
    }
    const more = params.cursor !== undefined && page.nextCursor !== undefined;
    return { skills, invalid, ...(more && { nextCursor: page.nextCursor! }), ...hintsOf(page) };
  }

  /**
   * Gets one skill by the URI of its `SKILL.md`, listed or not.
   * @param uri - The URI of the `SKILL.md`.
   * @param options - Time-out, abort signal, progress callback and so on. Default: none.
   */
  async get(uri: string, options?: RequestOptions): Promise<{ skill: Skill } & Hints> {
    if (!this.supported) throw unsupported(SKILLS_GET_METHOD);
    const schema = oneSchema<{ skill: Skill } & Hints>(this.#modern);
    const result = (await this.#client.request({ method: SKILLS_GET_METHOD, params: { uri } }, schema as never, options)) as { skill: Skill } & Hints;
    const problems = entryProblems(result.skill);
    if (problems.length > 0) {
      throw new SdkError(SdkErrorCode.InvalidResult, `skills/get returned an invalid entry for ${uri}: ${problems.join('; ')}`);
    }
    if (canonicalUri(result.skill.uri) !== canonicalUri(uri)) {
      throw new SdkError(SdkErrorCode.InvalidResult, `skills/get for ${uri} returned ${result.skill.uri}`);
    }
    return { skill: result.skill, ...hintsOf(result) };
  }

  /**
   * Reads a file of a skill and compares it with the entry. `ref` is a path from the skill's folder or
   * a URI; without it the `SKILL.md` is read.
   *
   * @param skill - The entry.
   * @param ref - The path of the file, or its URI.
   * @param options - Time-out, abort signal, progress callback and so on. Default: none.
   * @throws SkillVerificationError if the file does not match the entry, or the entry does not list it; in the
   * latter case nothing is sent.
   */
  async read(skill: Skill, ref?: string, options?: CacheableRequestOptions): Promise<SkillFile> {
    if (!this.supported) throw unsupported('resources/read');
    const problems = entryProblems(skill);
    if (problems.length > 0) throw new TypeError(`${skill.uri} is not a valid skill entry: ${problems.join('; ')}`);
    const target = resolveFile(skill, ref ?? skill.uri);
    if (target === null) {
      const uri = resolved(skill, ref ?? skill.uri);
      throw new SkillVerificationError('unlisted', uri, `${uri} is not a file of the skill ${skill.uri}`);
    }
    const params = { uri: target.uri };
    try {
      return this.#checked(skill, target, await this.#client.readResource(params, options));
    } catch (error) {
      const maybeOld = clientSettings(this.#client).keeps && options?.cacheMode !== 'refresh';
      if (!(error instanceof SkillVerificationError) || !maybeOld) throw error;
      return this.#checked(skill, target, await this.#client.readResource(params, { ...options, cacheMode: 'refresh' }));
    }
  }

  /**
   * Lists the direct content of a directory, all pages. The server must declare `directoryRead`.
   * @param uri - The URI of the folder.
   * @param options - Time-out, abort signal, progress callback and so on. Default: none.
   */
  async readDirectory(uri: string, options?: RequestOptions): Promise<{ resources: DirectoryResource[] } & Hints> {
    if (!this.directoryRead) {
      const words = `Server does not declare directoryRead for ${SKILLS_EXTENSION_ID} (required for ${RESOURCES_DIRECTORY_READ_METHOD})`;
      throw new SdkError(SdkErrorCode.CapabilityNotSupported, words);
    }
    type Listed = Page & { resources: DirectoryResource[] };
    const page = await this.#pages<Listed>(RESOURCES_DIRECTORY_READ_METHOD, 'resources', { uri }, undefined, options);
    return { resources: page.resources, ...hintsOf(page) };
  }

  get #modern(): boolean {
    return this.#client.getProtocolEra() === 'modern';
  }

  #pages<T extends Page>(
    method: string,
    member: string,
    params: Record<string, unknown>,
    cursor: string | undefined,
    options?: RequestOptions,
  ): Promise<T> {
    const schema = pageSchema<T>(member, this.#modern);
    const page = (at?: string): Promise<T> => {
      const given = at === undefined ? params : { ...params, cursor: at };
      return this.#client.request({ method, params: given }, schema as never, options) as Promise<T>;
    };
    if (cursor !== undefined) return page(cursor);
    const items = (one: T): unknown[] => (one as unknown as Record<string, unknown[]>)[member]!;
    return allPages(method, page, items, clientSettings(this.#client).maxPages);
  }

  #checked(skill: Skill, target: { uri: string; manifest: boolean }, result: ReadResourceResult): SkillFile {
    const { uri } = target;
    const found = result.contents.find((each) => each.uri === uri || resolveFile(skill, each.uri)?.uri === uri);
    if (found === undefined) throw new SdkError(SdkErrorCode.InvalidResult, `resources/read returned no contents for ${uri}`);
    const bytes = new Uint8Array('text' in found ? Buffer.from(found.text, 'utf8') : Buffer.from(found.blob, 'base64'));
    const own = target.manifest ? this.#withOwnParser(skill, bytes) : undefined;
    const verdict = verifyFile(own?.skill ?? skill, uri, bytes);
    if ('reason' in verdict) throw new SkillVerificationError(verdict.reason, uri, verdict.message, verdict.differences);
    const file: SkillFile = {
      uri,
      ...(found.mimeType !== undefined && { mimeType: found.mimeType }),
      bytes,
      ...('text' in found && { text: found.text }),
      verified: skill.resources !== 'dynamic',
    };
    if (verdict.manifest === null) return file;
    return { ...file, text: textOf(bytes)!, ...verdict.manifest, ...own?.read };
  }

  /** With a parser of the program's, that one's result is compared, and the engine's with itself. */
  #withOwnParser(skill: Skill, bytes: Uint8Array): { skill: Skill; read: { frontmatter: Record<string, unknown> } } | undefined {
    const parse = this.#options.parseFrontmatter;
    const yaml = parse && FRONTMATTER.exec((textOf(bytes) ?? '').replace(/^\ufeff/, '').replaceAll('\r\n', '\n'))?.[1];
    if (parse === undefined || yaml === undefined) return undefined;
    const fail = (why: string, differences: string[]): never => {
      throw new SkillVerificationError('frontmatter', skill.uri, `the frontmatter of ${skill.uri} ${why}`, differences);
    };
    let frontmatter: Record<string, unknown> = {};
    try {
      frontmatter = parse(yaml);
    } catch (error) {
      fail(`cannot be read: ${error instanceof Error ? error.message : String(error)}`, []);
    }
    const names = [...new Set([...Object.keys(skill.frontmatter), ...Object.keys(frontmatter)])];
    const differing = names.filter((name) => JSON.stringify(skill.frontmatter[name]) !== JSON.stringify(frontmatter[name]));
    if (differing.length > 0) fail(`differs from the skill entry: ${differing.join(', ')}`, differing);
    return { skill, read: { frontmatter } };
  }
}
