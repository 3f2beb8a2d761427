/**
 * Finding skills in files. Owns: which files are read for that, and what is warned of. Must not
 * know: servers, and which entries are good.
 */
import { catalogOf, digestOf, type Catalog, type Found } from './skill-rules';
import type { SkillFiles } from './skill-files';
import { textOf } from './skill-files';
import { isOf } from './errors';

/** A problem with skills. */
export interface SkillWarning {
  /** The file, folder or URI. */
  path: string;
  /** What is wrong. */
  message: string;
}

/** Thrown if files cannot be read or, with `strict`, if a skill cannot be served. */
export class SkillCatalogError extends Error {
  /** The problems. */
  readonly problems: readonly SkillWarning[];

  /**
   * Creates an error for problems.
   * @param problems - What is wrong.
   */
  constructor(problems: readonly SkillWarning[]) {
    const lines = problems.map(({ path, message }) => `  ${path}: ${message}`).join('\n');
    super(`${problems.length} skill problem${problems.length === 1 ? '' : 's'}:\n${lines}`);
    this.name = 'SkillCatalogError';
    this.problems = problems;
  }

  /**
   * Whether a value is an instance of this class.
   * @param value - The value.
   */
  static isInstance<T extends abstract new (...parts: never[]) => unknown>(this: T, value: unknown): value is InstanceType<T> {
    return isOf(this, value);
  }
}

/** How skills are looked for. */
export interface Search {
  prefix: string[];
  limits: { files: number; bytes: number };
  strict: boolean;
  warn: (warning: SkillWarning) => void;
}

const MANIFEST = 'SKILL.md';
const MAX_ENTRIES = 100_000;
const said = (error: unknown): string => (error instanceof Error ? error.message : String(error));

type Tree = Pick<Found, 'folders' | 'other'> & { files: string[] };

async function walk(files: SkillFiles): Promise<Tree> {
  const tree: Tree = { files: [], folders: [], other: [] };
  const waiting = [''];
  for (let dir = waiting.pop(); dir !== undefined; dir = waiting.pop()) {
    const folder = dir;
    const entries = await files.list(folder).catch((error: unknown) => {
      throw new SkillCatalogError([{ path: folder || '.', message: `cannot be listed: ${said(error)}` }]);
    });
    for (const { name, kind } of entries) {
      if (name.startsWith('.')) continue;
      const path = folder === '' ? name : `${folder}/${name}`;
      if (kind === 'directory') {
        tree.folders.push(path);
        waiting.push(path);
      } else if (kind === 'file') tree.files.push(path);
      else tree.other.push(path);
    }
    if (tree.files.length + tree.folders.length > MAX_ENTRIES) {
      throw new SkillCatalogError([{ path: '.', message: `there are more than ${MAX_ENTRIES} files and folders` }]);
    }
  }
  return tree;
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

function isBelow(path: string, folders: Set<string>): boolean {
  for (let folder = folderOf(path); folder !== ''; folder = folderOf(folder)) if (folders.has(folder)) return true;
  return nameOf(path) === MANIFEST;
}

async function read(files: SkillFiles, path: string): Promise<Uint8Array> {
  try {
    return await files.read(path);
  } catch (error) {
    throw new SkillCatalogError([{ path, message: `cannot be read: ${said(error)}` }]);
  }
}

/** The skills in the files. Throws a `SkillCatalogError`. */
export async function findSkills(files: SkillFiles, search: Search): Promise<Catalog> {
  const tree = await walk(files);
  const skills = new Set(tree.files.filter((path) => nameOf(path) === MANIFEST).map(folderOf));
  const bound = (most: number): number | null => (most === Infinity ? null : most);
  const { prefix, limits } = search;
  const found: Found = {
    prefix,
    files: [],
    folders: tree.folders,
    other: tree.other,
    manifests: {},
    max_files: bound(limits.files),
    max_bytes: bound(limits.bytes),
  };
  for (const path of tree.files) {
    if (nameOf(path) !== MANIFEST && nameOf(path).toLowerCase() === 'skill.md') {
      search.warn({ path, message: 'did you mean SKILL.md? File names are case-sensitive' });
    }
    if (!isBelow(path, skills)) continue;
    const bytes = await read(files, path);
    found.files.push({ path, digest: digestOf(bytes), size: bytes.byteLength });
    if (nameOf(path) === MANIFEST) found.manifests[path] = textOf(bytes) ?? '';
  }
  const catalog = catalogOf(found);
  if (search.strict && catalog.problems.length > 0) throw new SkillCatalogError(catalog.problems);
  for (const problem of catalog.problems) search.warn(problem);
  if (catalog.skills.length === 0) search.warn({ path: '.', message: 'no skills found (a skill is a folder containing SKILL.md)' });
  return catalog;
}
