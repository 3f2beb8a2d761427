/**
 * Skills that a server offers. Owns: the methods of the extension, and reading a catalog again. Must
 * not know: where files are kept, and which entries are good.
 */
import { INSIDE } from '../../common/peer/server-peer';
import type { Result } from '../../protocol/types';
import type { ServerContext } from './context';
import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from './errors';
import { McpServer } from './mcp';
import { checkHint, type CacheHint } from './server-options';
import { namesOf, type SkillFiles } from './skill-files';
import { findSkills, type Search, type SkillWarning } from './skill-found';
import { canonicalUri, entryProblems } from './skill-rules';
import {
  GetSkillRequestParamsSchema,
  ListSkillsRequestParamsSchema,
  ReadResourceDirectoryRequestParamsSchema,
  type DirectoryResource,
  type Skill,
} from './skill-schemas';
import { OWN, catalogSource, served, type Served, type SkillReadResult, type SkillSource } from './skill-source';
import { RESOURCES_DIRECTORY_READ_METHOD, SKILL_LIMITS, SKILLS_EXTENSION_ID, SKILLS_GET_METHOD, SKILLS_LIST_METHOD } from './skills';
import { ResourceTemplate } from './template';

/** Options of the skills of a server. */
export interface SkillsOptions {
  /** How long clients may cache results of the extension and files. Default: not at all. */
  cacheHint?: CacheHint;
  /** Whether to throw for problems that are otherwise only reported to `onWarning`. Default: `false`. */
  strict?: boolean;
  /** Called with each problem. Default: it goes to `console.warn`. */
  onWarning?: (warning: SkillWarning) => void;
}

/** Options of skills from a source. */
export interface SkillSourceOptions extends SkillsOptions {
  /** Where the skills come from. */
  source: SkillSource;
  /** The beginning of all URIs of the source. Default: `skill://`. */
  baseUri?: string;
}

/** Options of skills in files. */
export interface SkillCatalogOptions extends SkillsOptions {
  /** Path segments before each skill's path: `acme` makes `skill://acme/refunds/SKILL.md`. Default: none. */
  prefix?: string;
  /** The number of entries on a page. Default: 100. */
  pageSize?: number;
  /** The sizes of a skill above which there is a warning. Default: those that every host accepts. */
  limits?: { files?: number; bytes?: number };
}

/** The changes of a `reload`, as URIs of `SKILL.md` files. */
export interface SkillCatalogChanges {
  /** New skills. */
  added: string[];
  /** Skills that were removed. */
  removed: string[];
  /** Skills whose files or frontmatter changed. */
  changed: string[];
  /** Whether the list that clients see changed. */
  listChanged: boolean;
}

const SCHEME = /^[a-z][\d+.a-z-]*:\/\//i;
const SERVERS = new WeakSet<McpServer>();

function warnOnConsole({ path, message }: SkillWarning): void {
  console.warn(`[mcpbolt] skills: ${path}: ${message}`);
}

function contents(uri: string, read: SkillReadResult): { uri: string; mimeType?: string } & ({ text: string } | { blob: string }) {
  const about = { uri, ...(read.mimeType !== undefined && { mimeType: read.mimeType }) };
  return 'text' in read ? { ...about, text: read.text } : { ...about, blob: Buffer.from(read.bytes).toString('base64') };
}

/**
 * The skills of one source, for any number of servers.
 *
 * ```ts
 * const skills = new SkillsExtension({ source });
 * skills.attach(server);
 * ```
 */
export class SkillsExtension {
  /** The identifier of the extension. */
  readonly id = SKILLS_EXTENSION_ID;
  readonly #source: SkillSource;
  readonly #base: string;
  readonly #hint: CacheHint | undefined;
  readonly #strict: boolean;
  readonly #warn: (warning: SkillWarning) => void;
  readonly #attached = new WeakSet<McpServer>();

  /**
   * Reads the skills in files.
   * @param files - Where the files are.
   * @param options - The beginning of URIs, the size of pages, limits and caching. Default: 100 entries on a
   *   page.
   */
  static load(files: SkillFiles, options?: SkillCatalogOptions): Promise<SkillCatalog> {
    return SkillCatalog.load(files, options);
  }

  /**
   * Creates the extension for a source.
   * @param options - The source of skills.
   */
  constructor(options: SkillSourceOptions) {
    const { source, baseUri = 'skill://', cacheHint, strict = false, onWarning = warnOnConsole } = options;
    checkHint('skills', cacheHint);
    const base = SCHEME.test(baseUri) ? canonicalUri(baseUri) : undefined;
    if (base === undefined) throw new TypeError(`baseUri must be a "scheme://…" URI (got ${JSON.stringify(baseUri)})`);
    this.#source = source;
    this.#base = base.endsWith('://') ? base : `${base.replace(/\/$/, '')}/`;
    this.#hint = cacheHint;
    this.#strict = strict;
    this.#warn = onWarning;
  }

  /**
   * Serves the skills on a server that is not connected yet: a template of resources, the methods,
   * and the capability. A server has one such extension.
   * @param mcp - The server.
   */
  attach(mcp: McpServer): void {
    if (this.#attached.has(mcp)) return;
    if (mcp.isConnected()) throw new Error('attach skills before connecting the server');
    if (SERVERS.has(mcp)) {
      throw new Error(
        'another skills extension is already attached to this server; attach one per server (to serve several folders or sources, ' +
          'combine them behind one SkillFiles adapter or SkillSource)',
      );
    }
    const { server } = mcp;
    const reads = this.#source.readDirectory !== undefined;
    const methods = [SKILLS_LIST_METHOD, SKILLS_GET_METHOD, ...(reads ? [RESOURCES_DIRECTORY_READ_METHOD] : [])];
    for (const method of methods) server.assertCanSetRequestHandler(method);
    server[INSIDE].extensions.rows.push(...methods.map((method) => ({ extension: SKILLS_EXTENSION_ID, method, undeclared: 'serve' as const })));
    const list = this.#source.listResources && ((ctx: ServerContext) => this.#listResources(ctx));
    const config = this.#hint === undefined ? {} : { cacheHint: this.#hint };
    mcp.registerResource(SKILLS_EXTENSION_ID, new ResourceTemplate(`${this.#base}{+path}`, { list }), config, (uri, _, ctx) =>
      this.#read(uri, ctx),
    );
    server.setRequestHandler(SKILLS_LIST_METHOD, { params: ListSkillsRequestParamsSchema }, (params, ctx) => this.#list(params.cursor, ctx));
    server.setRequestHandler(SKILLS_GET_METHOD, { params: GetSkillRequestParamsSchema }, (params, ctx) => this.#get(params.uri, ctx));
    if (reads) {
      server.setRequestHandler(RESOURCES_DIRECTORY_READ_METHOD, { params: ReadResourceDirectoryRequestParamsSchema }, (params, ctx) =>
        this.#readDirectory(params.uri, params.cursor, ctx),
      );
    }
    server.registerCapabilities({ extensions: { [SKILLS_EXTENSION_ID]: reads ? { directoryRead: true } : {} } });
    this.#attached.add(mcp);
    SERVERS.add(mcp);
    this._attached(mcp);
  }

  /** Called for each server that the skills are served on. */
  protected _attached(mcp: McpServer): void {
    void mcp;
  }

  /** Only modern revisions have cache hints. */
  #kept(ctx: ServerContext): CacheHint {
    const { ttlMs = 0, cacheScope = 'private' } = this.#hint ?? {};
    return ctx.mcpReq.envelope === undefined ? {} : { ttlMs, cacheScope };
  }

  #good(skills: Skill[]): Skill[] {
    if (OWN.has(this.#source)) return skills;
    return skills.filter((skill) => {
      const problems = entryProblems(skill);
      if (problems.length === 0) return true;
      const path = typeof skill?.uri === 'string' ? skill.uri : '(entry without a uri)';
      const message = `invalid skill entry from the source: ${problems.join('; ')}`;
      if (this.#strict) throw new ProtocolError(ProtocolErrorCode.InternalError, `${path}: ${message}`);
      this.#warn({ path, message: `${message} (dropped from skills/list)` });
      return false;
    });
  }

  async #list(cursor: string | undefined, ctx: ServerContext): Promise<Result> {
    const { skills, nextCursor } = await this.#source.list(cursor === undefined ? {} : { cursor }, ctx);
    return { skills: this.#good(skills), ...(nextCursor !== undefined && { nextCursor }), ...this.#kept(ctx) };
  }

  async #get(uri: string, ctx: ServerContext): Promise<Result> {
    const skill = await this.#source.get(uri, ctx);
    if (skill === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `No skill is served at ${uri}`);
    const problems = OWN.has(this.#source) ? [] : entryProblems(skill);
    if (problems.length > 0) {
      const message = `invalid skill entry from the source: ${problems.join('; ')}`;
      this.#warn({ path: uri, message });
      throw new ProtocolError(ProtocolErrorCode.InternalError, message);
    }
    if (canonicalUri(skill.uri) !== canonicalUri(uri)) {
      throw new ProtocolError(ProtocolErrorCode.InternalError, `the skill source returned ${skill.uri} for ${uri}`);
    }
    return { skill, ...this.#kept(ctx) };
  }

  async #read(uri: URL, ctx: ServerContext): Promise<{ contents: ReturnType<typeof contents>[] }> {
    const read = await this.#source.read(uri.href, ctx);
    if (read === undefined) throw new ResourceNotFoundError(uri.href);
    return { contents: [contents(uri.href, read)] };
  }

  async #readDirectory(uri: string, cursor: string | undefined, ctx: ServerContext): Promise<Result> {
    const page = await this.#source.readDirectory!(uri, cursor === undefined ? {} : { cursor }, ctx);
    if (page === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${uri} is not a directory resource`);
    const { resources, nextCursor } = page;
    return { resources, ...(nextCursor !== undefined && { nextCursor }), ...this.#kept(ctx) };
  }

  async #listResources(ctx: ServerContext): Promise<{ resources: DirectoryResource[] }> {
    const all = await this.#source.listResources!(ctx);
    const resources = all.filter(({ uri }) => {
      if (canonicalUri(uri)?.startsWith(this.#base)) return true;
      this.#warn({ path: uri, message: `listResources returned a URI outside ${this.#base}; dropped from resources/list` });
      return false;
    });
    return { resources };
  }
}

interface Start {
  state: { now: Served };
  files: SkillFiles;
  search: Search;
  options: SkillSourceOptions;
}

function positive(name: string, value: number): number {
  if (value === Infinity || (Number.isSafeInteger(value) && value > 0)) return value;
  throw new RangeError(`${name} must be a positive integer or Infinity (got ${value})`);
}

/** What of a catalog clients list. */
const listing = (now: Served): string => JSON.stringify(now.catalog.listed.map(({ uri, name, description }) => [uri, name, description]));

/** Freezes what clients are sent, through and through. */
function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) frozen(each);
  return Object.freeze(value);
}

/**
 * The skills in files. The list is kept in memory; a file is read when a client requests it, and compared
 * with its entry.
 */
export class SkillCatalog extends SkillsExtension {
  readonly #start: Start;
  readonly #servers = new Set<WeakRef<McpServer>>();
  #turn: Promise<unknown> = Promise.resolve();

  private constructor(start: Start) {
    super(start.options);
    this.#start = start;
  }

  /**
   * Reads the skills in files.
   * @param files - Where the files are.
   * @param options - The beginning of URIs, the size of pages, limits and caching. Default: 100 entries on a
   *   page.
   */
  static override async load(files: SkillFiles, options: SkillCatalogOptions = {}): Promise<SkillCatalog> {
    const { prefix, pageSize = 100, limits = {}, strict = false, onWarning: warn = warnOnConsole, cacheHint } = options;
    const size = positive('pageSize', pageSize);
    const names = prefix === undefined ? [] : namesOf(prefix, 'prefix');
    const bounds = {
      files: positive('limits.files', limits.files ?? SKILL_LIMITS.files),
      bytes: positive('limits.bytes', limits.bytes ?? SKILL_LIMITS.bytes),
    };
    const search = { prefix: names, limits: bounds, strict, warn };
    const state = { now: served(frozen(await findSkills(files, search))) };
    const source = catalogSource(state, files, size, warn);
    const base = new URL(`skill://${names.map(encodeURIComponent).join('/')}`).href;
    const given = { source, strict, onWarning: warn, baseUri: names.length === 0 ? 'skill://' : base, ...(cacheHint && { cacheHint }) };
    return new SkillCatalog({ state, files, search, options: given });
  }

  /** The skills, by URI, as clients receive them; frozen. */
  get entries(): readonly Skill[] {
    return this.#start.state.now.catalog.skills;
  }

  /**
   * Reads the files again and serves the new state; if that fails, the old state stays. Connected servers
   * notify their clients if the list changed.
   */
  reload(): Promise<SkillCatalogChanges> {
    const run = this.#turn.then(() => this.#reload());
    this.#turn = run.catch(() => undefined);
    return run;
  }

  protected override _attached(mcp: McpServer): void {
    for (const reference of this.#servers) if (reference.deref() === undefined) this.#servers.delete(reference);
    this.#servers.add(new WeakRef(mcp));
  }

  async #reload(): Promise<SkillCatalogChanges> {
    const { state, files, search } = this.#start;
    const last = state.now;
    const now = served(frozen(await findSkills(files, search)));
    state.now = now;
    const listChanged = listing(last) !== listing(now);
    if (listChanged) this.#tell();
    const same = (uri: string): boolean => JSON.stringify(last.skills.get(uri)) === JSON.stringify(now.skills.get(uri));
    return {
      added: [...now.skills.keys()].filter((uri) => !last.skills.has(uri)),
      removed: [...last.skills.keys()].filter((uri) => !now.skills.has(uri)),
      changed: [...now.skills.keys()].filter((uri) => last.skills.has(uri) && !same(uri)),
      listChanged,
    };
  }

  #tell(): void {
    const failed = (error: unknown): void =>
      this.#start.search.warn({
        path: 'resources/list_changed',
        message: `could not be sent: ${error instanceof Error ? error.message : String(error)}`,
      });
    for (const reference of this.#servers) {
      const mcp = reference.deref();
      if (mcp?.isConnected()) void Promise.resolve(mcp.server.sendResourceListChanged()).catch(failed);
    }
  }
}
