/**
 * Skills of a server with the names of 2.x: `@modelcontextprotocol/server/ext/skills`. Owns: making
 * an entry by hand. Must not know: clients.
 */
import { bytesOf, memorySkillFiles, namesOf } from '../../internal/skill-files';
import { SkillCatalogError } from '../../internal/skill-found';
import { findSkills } from '../../internal/skill-found';
import type { Skill } from '../../internal/skill-schemas';

export {
  DIRECTORY_MIME_TYPE,
  RESOURCES_DIRECTORY_READ_METHOD,
  SKILL_LIMITS,
  SKILLS_EXTENSION_ID,
  SKILLS_GET_METHOD,
  SKILLS_LIST_METHOD,
  type SkillsCapability,
} from '../../internal/skills';
export type {
  DirectoryResource,
  GetSkillResult,
  ListSkillsResult,
  ReadResourceDirectoryResult,
  Skill,
  SkillCacheScope,
  SkillFrontmatter,
  SkillResourceEntry,
  SkillResources,
} from '../../internal/skill-schemas';
export { memorySkillFiles, type SkillFileEntry, type SkillFiles } from '../../internal/skill-files';
export { SkillCatalogError, type SkillWarning } from '../../internal/skill-found';
export type { SkillReadResult, SkillSource } from '../../internal/skill-source';
export {
  SkillCatalog,
  SkillsExtension,
  type SkillCatalogChanges,
  type SkillCatalogOptions,
  type SkillSourceOptions,
  type SkillsOptions,
} from '../../internal/skill-server';

/**
 * Makes the entry of one skill from its files, by their paths in the skill's folder: digests, sizes,
 * frontmatter. For sources of the program's own.
 *
 * @param skillPath - The path of the folder of the skill, relative to the root.
 * @param files - Where the files are.
 * @param options - The beginning of URIs, and a function that is called with problems. Default: `skill://`.
 * @throws SkillCatalogError if the files are no skill.
 */
export async function skillEntry(
  skillPath: string,
  files: Record<string, string | Uint8Array>,
  options: { baseUri?: string } = {},
): Promise<Skill> {
  const names = namesOf(skillPath, 'skillPath');
  const inFolder = Object.entries(files).map(([path, content]) => [[...names, ...namesOf(path, 'file path')].join('/'), bytesOf(content)] as const);
  const problems: { path: string; message: string }[] = [];
  const warn = (warning: { path: string; message: string }): unknown => problems.push(warning);
  const search = { prefix: [], limits: { files: Infinity, bytes: Infinity }, strict: true, warn };
  const { skills } = await findSkills(memorySkillFiles(Object.fromEntries(inFolder)), search);
  const base = `skill://${names.map(encodeURIComponent).join('/')}`;
  const skill = skills.find(({ uri }) => uri === `${base}/SKILL.md`);
  if (skill === undefined) throw new SkillCatalogError([{ path: skillPath, message: problems[0]?.message ?? 'SKILL.md is missing' }]);
  if (options.baseUri === undefined || options.baseUri === 'skill://') return skill;
  const front = options.baseUri.replace(/(?<!:\/)\/$/, '') + (options.baseUri.endsWith('://') ? '' : '/');
  const moved = (uri: string): string => front + uri.slice('skill://'.length);
  const resources = skill.resources as Exclude<Skill['resources'], 'dynamic'>;
  return { ...skill, uri: moved(skill.uri), resources: resources.map((file) => ({ ...file, uri: moved(file.uri) })) };
}
