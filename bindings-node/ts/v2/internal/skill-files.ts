/**
 * Where the files of skills are kept. Owns: the adapter's shape, and the one for files in memory.
 * Must not know: which files are skills.
 */

/** An entry of a folder. `unsupported` stands for links and other special files. */
export interface SkillFileEntry {
  /** The name of the entry. */
  name: string;
  /** The kind of the entry. */
  kind: 'file' | 'directory' | 'unsupported';
}

/** Reads folders and files by relative paths with `/` between names; `''` is the top folder. */
export interface SkillFiles {
  /**
   * Lists a folder.
   * @param dir - The path of the folder, relative to the root.
   */
  list(dir: string): Promise<SkillFileEntry[]>;
  /**
   * Reads a file.
   * @param path - The path of the file, relative to the root.
   */
  read(path: string): Promise<Uint8Array>;
}

const encoder = new TextEncoder();

/** The bytes of a file that is given as text or bytes. */
export const bytesOf = (content: string | Uint8Array): Uint8Array => (typeof content === 'string' ? encoder.encode(content) : content);

/** The text of bytes, if decoding loses nothing. */
export function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The names of a relative path. Throws a `TypeError` if it leads elsewhere. */
export function namesOf(path: string, label: string): string[] {
  const names = path.split('/').filter((name) => name !== '' && name !== '.');
  if (names.length === 0 || names.includes('..')) {
    throw new TypeError(`${label} must be a relative path without ".." (got ${JSON.stringify(path)})`);
  }
  return names;
}

interface Index {
  folders: Map<string, Map<string, SkillFileEntry>>;
  /** The key of each file by its path. */
  keys: Map<string, string>;
}

function indexOf(files: Record<string, unknown>): Index {
  const index: Index = { folders: new Map([['', new Map()]]), keys: new Map() };
  for (const key of Object.keys(files)) {
    const names = namesOf(key, 'file path');
    names.forEach((name, depth) => {
      const folder = names.slice(0, depth).join('/');
      const children = index.folders.get(folder) ?? new Map<string, SkillFileEntry>();
      index.folders.set(folder, children.set(name, { name, kind: depth < names.length - 1 ? 'directory' : 'file' }));
    });
    index.keys.set(names.join('/'), key);
  }
  return index;
}

/**
 * Files in memory: contents by relative path. The set of files is updated when the top folder is listed;
 * contents are read each time.
 * @param files - The contents by path.
 */
export function memorySkillFiles(files: Record<string, string | Uint8Array>): SkillFiles {
  let index: Index | undefined;
  return {
    async list(dir) {
      if (dir === '') index = undefined;
      index ??= indexOf(files);
      const children = index.folders.get(dir);
      if (children === undefined) throw new Error(`no such directory: ${dir}`);
      return Array.from(children.values(), (entry) => ({ ...entry }));
    },
    async read(path) {
      index ??= indexOf(files);
      const content = files[index.keys.get(path) ?? path];
      if (content === undefined) throw new Error(`no such file: ${path}`);
      return bytesOf(content);
    },
  };
}
