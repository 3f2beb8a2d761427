/**
 * Skills of a server with the names of 2.x: `@modelcontextprotocol/server/ext/skills`. Owns: the
 * list of names; serving skills is not supported yet. Must not know: anything.
 */
import { classToCome, functionToCome, type ToCome } from '../../internal/to-come';

export {
  DIRECTORY_MIME_TYPE,
  RESOURCES_DIRECTORY_READ_METHOD,
  SKILL_LIMITS,
  SKILLS_EXTENSION_ID,
  SKILLS_GET_METHOD,
  SKILLS_LIST_METHOD,
  type SkillsCapability,
} from '../../internal/skills';

const PART = 'the skills extension';
type Later = ToCome<typeof PART>;

/** The skills that a server offers. Not supported yet: creating one throws. */
export const SkillCatalog = classToCome('SkillCatalog', PART);
/** An instance of that class. Not supported yet. */
export type SkillCatalog = Later;
/** The error of a skill that cannot be served. Not supported yet. */
export const SkillCatalogError = classToCome('SkillCatalogError', PART);
/** An instance of that class. Not supported yet. */
export type SkillCatalogError = Later;
/** Serves skills. Not supported yet: creating one throws. */
export const SkillsExtension = classToCome('SkillsExtension', PART);
/** An instance of that class. Not supported yet. */
export type SkillsExtension = Later;
/** Makes the files of a skill from memory. Not supported yet: calling it throws. */
export const memorySkillFiles = functionToCome('memorySkillFiles', PART);
/** Makes the list entry of a skill. Not supported yet: calling it throws. */
export const skillEntry = functionToCome('skillEntry', PART);

/** An entry of a directory. Not supported yet. */
export type DirectoryResource = Later;
/** The result of a request for a skill. Not supported yet. */
export type GetSkillResult = Later;
/** The list of skills. Not supported yet. */
export type ListSkillsResult = Later;
/** The list of entries of a directory. Not supported yet. */
export type ReadResourceDirectoryResult = Later;
/** A skill. Not supported yet. */
export type Skill = Later;
/** Who may keep a skill. Not supported yet. */
export type SkillCacheScope = Later;
/** The frontmatter of a skill. Not supported yet. */
export type SkillFrontmatter = Later;
/** A file of a skill, as it is listed. Not supported yet. */
export type SkillResourceEntry = Later;
/** The files of a skill, as they are listed. Not supported yet. */
export type SkillResources = Later;
/** What changed in a catalog. Not supported yet. */
export type SkillCatalogChanges = Later;
/** Options of a `SkillCatalog`. Not supported yet. */
export type SkillCatalogOptions = Later;
/** A file of a skill. Not supported yet. */
export type SkillFileEntry = Later;
/** The files of a skill. Not supported yet. */
export type SkillFiles = Later;
/** A file of a skill, read. Not supported yet. */
export type SkillReadResult = Later;
/** Where skills come from. Not supported yet. */
export type SkillSource = Later;
/** Options of a source of skills. Not supported yet. */
export type SkillSourceOptions = Later;
/** Something odd in a skill. Not supported yet. */
export type SkillWarning = Later;
/** Options of a `SkillsExtension`. Not supported yet. */
export type SkillsOptions = Later;
