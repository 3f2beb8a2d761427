/**
 * Skills in a folder, with the names of 2.x: `@modelcontextprotocol/server/ext/skills/node`. Owns:
 * reading files without following links. Must not know: which files are skills.
 */
import { constants } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { Dirent } from 'node:fs';
import { namesOf, type SkillFiles } from '../../../internal/skill-files';
import { SkillCatalog, type SkillCatalogOptions } from '../../../internal/skill-server';

const kindOf = (entry: Dirent): 'file' | 'directory' | 'unsupported' =>
  entry.isFile() ? 'file' : entry.isDirectory() ? 'directory' : 'unsupported';

function below(base: string, path: string): string {
  if (path === '') return base;
  const names = namesOf(path, 'path');
  const whole = join(base, ...names);
  const inside = relative(base, whole);
  if (inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside) || names.some((name) => name.split(sep).includes('..'))) {
    throw new TypeError(`path must be a relative path that stays inside the skills folder (got ${JSON.stringify(path)})`);
  }
  return whole;
}

/**
 * The files in a folder. Links and other special files are not followed.
 * @param root - The path of the folder.
 */
export function nodeSkillFiles(root: string): SkillFiles {
  const base = resolve(root);
  return {
    async list(dir) {
      const entries = await readdir(below(base, dir), { withFileTypes: true });
      return entries.map((entry) => ({ name: entry.name, kind: kindOf(entry) }));
    },
    async read(path) {
      const file = await open(below(base, path), constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
      try {
        if (!(await file.stat()).isFile()) throw new Error(`${path} is not a regular file`);
        return new Uint8Array(await file.readFile());
      } finally {
        await file.close();
      }
    },
  };
}

/**
 * Reads all skills in a folder of folders with a `SKILL.md` each.
 *
 * ```ts
 * const skills = await loadSkills('./skills');
 * skills.attach(server);
 * ```
 * @param root - The path of the folder.
 * @param options - The beginning of URIs, the size of pages, limits and caching. Default: 100 entries on a
 *   page.
 */
export function loadSkills(root: string, options?: SkillCatalogOptions): Promise<SkillCatalog> {
  return SkillCatalog.load(nodeSkillFiles(root), options);
}
