/**
 * Where a server takes skills from. Owns: the interface of sources, and the source that a catalog
 * is. Must not know: servers.
 */
import type { ServerContext } from './context';
import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from './errors';
import { textOf, type SkillFiles } from './skill-files';
import type { SkillWarning } from './skill-found';
import { canonicalUri, digestOf, type Catalog, type ServedFile } from './skill-rules';
import type { DirectoryResource, Skill } from './skill-schemas';

/** A file of a skill, read: text, or bytes that are sent as base64. */
export type SkillReadResult = { text: string; mimeType?: string } | { bytes: Uint8Array; mimeType?: string };

/** Skills that the program provides itself: per user, on demand, or too many to list. */
export interface SkillSource {
  /**
   * One page of skills; it may be empty or partial.
   * @param params - The `cursor` of the page; without it, the first page.
   * @param ctx - The context of the request.
   */
  list(params: { cursor?: string }, ctx: ServerContext): Promise<{ skills: Skill[]; nextCursor?: string }>;
  /**
   * The skill whose `SKILL.md` is at `uri`, listed or not; `undefined` if there is none.
   * @param uri - The URI of the `SKILL.md`.
   * @param ctx - The context of the request.
   */
  get(uri: string, ctx: ServerContext): Promise<Skill | undefined>;
  /**
   * The content of a file; `undefined` if there is none.
   * @param uri - The URI of the file.
   * @param ctx - The context of the request.
   */
  read(uri: string, ctx: ServerContext): Promise<SkillReadResult | undefined>;
  /**
   * The direct content of a directory; `undefined` if there is no such directory. A server whose source has
   * this function declares `directoryRead`.
   * @param uri - The URI of the folder.
   * @param params - The `cursor` of the page; without it, the first page.
   * @param ctx - The context of the request.
   */
  readDirectory?(
    uri: string,
    params: { cursor?: string },
    ctx: ServerContext,
  ): Promise<{ resources: DirectoryResource[]; nextCursor?: string } | undefined>;
  /**
   * The entries for `resources/list`. Without this function there are none.
   * @param ctx - The context of the request.
   */
  listResources?(ctx: ServerContext): Promise<DirectoryResource[]>;
}

/** What a catalog serves at the moment. */
export interface Served {
  catalog: Catalog;
  skills: Map<string, Skill>;
  files: Map<string, ServedFile>;
  folders: Map<string, DirectoryResource[]>;
}

/** Sources whose entries need no check. */
export const OWN = new WeakSet<SkillSource>();

/** A catalog, ready to be looked up. */
export function served(catalog: Catalog): Served {
  return {
    catalog,
    skills: new Map(catalog.skills.map((skill) => [skill.uri, skill])),
    files: new Map(catalog.files.map((file) => [file.uri, file])),
    folders: new Map(Object.entries(catalog.folders)),
  };
}

const CURSOR = 'after:';

function page<T extends { uri: string }>(all: readonly T[], cursor: string | undefined, size: number): { items: T[]; nextCursor?: string } {
  let start = 0;
  if (cursor !== undefined) {
    const after = Buffer.from(cursor, 'base64url').toString('utf8');
    if (!after.startsWith(CURSOR)) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid cursor');
    start = all.findIndex(({ uri }) => uri > after.slice(CURSOR.length));
    if (start === -1) start = all.length;
  }
  const items = all.slice(start, start + size);
  const last = items.at(-1);
  if (start + size >= all.length || last === undefined) return { items };
  return { items, nextCursor: Buffer.from(CURSOR + last.uri).toString('base64url') };
}

const next = (nextCursor: string | undefined): { nextCursor?: string } => (nextCursor === undefined ? {} : { nextCursor });

/** The source that serves a catalog: files are read when they are asked for, and only as they were listed. */
export function catalogSource(state: { now: Served }, files: SkillFiles, size: number, warn: (warning: SkillWarning) => void): SkillSource {
  const source: SkillSource = {
    async list({ cursor }) {
      const { items, nextCursor } = page(state.now.catalog.skills, cursor, size);
      return { skills: items, ...next(nextCursor) };
    },
    get: async (uri) => state.now.skills.get(canonicalUri(uri) ?? ''),
    read: (uri) => readListed(state.now, files, uri, warn),
    async readDirectory(uri, { cursor }) {
      const children = state.now.folders.get(canonicalUri(uri) ?? '');
      if (children === undefined) return undefined;
      const { items, nextCursor } = page(children, cursor, size);
      return { resources: items, ...next(nextCursor) };
    },
    listResources: async () => [...state.now.catalog.listed],
  };
  OWN.add(source);
  return source;
}

async function readListed(
  now: Served,
  files: SkillFiles,
  uri: string,
  warn: (warning: SkillWarning) => void,
): Promise<SkillReadResult | undefined> {
  const canonical = canonicalUri(uri) ?? '';
  const file = now.files.get(canonical);
  if (file === undefined) {
    if (now.folders.has(canonical)) throw new ResourceNotFoundError(uri, `${uri} is a directory; use resources/directory/read`);
    return undefined;
  }
  const fail = (warning: string, words: string): never => {
    warn({ path: file.path, message: warning });
    throw new ProtocolError(ProtocolErrorCode.InternalError, `${uri} ${words}`);
  };
  const bytes = await files
    .read(file.path)
    .catch((error: unknown) => fail(`could not be read: ${error instanceof Error ? error.message : String(error)}`, 'could not be read'));
  if (bytes.byteLength !== file.size || digestOf(bytes) !== file.digest) {
    fail('changed since the catalog was loaded; call reload()', 'changed since the skills catalog was loaded');
  }
  const text = textOf(bytes);
  return text === undefined ? { bytes, mimeType: file.mimeType } : { text, mimeType: file.mimeType };
}
