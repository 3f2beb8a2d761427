/**
 * Schemas of skills with the names of 2.x: `@modelcontextprotocol/core/ext/skills`. Owns: the list
 * of names; the schemas are not supported yet. Must not know: anything.
 */
import { objectToCome, type ToCome } from '../../internal/to-come';

export {
  DIRECTORY_MIME_TYPE,
  RESOURCES_DIRECTORY_READ_METHOD,
  SKILL_LIMITS,
  SKILLS_EXTENSION_ID,
  SKILLS_GET_METHOD,
  SKILLS_LIST_METHOD,
  SKILL_DIGEST_PATTERN,
  skillsCapabilityOf,
  SkillsCapabilitySchema,
  type SkillsCapability,
} from '../../internal/skills';

const PART = 'the skills extension';
type Later = ToCome<typeof PART>;

/** Schema of a directory's entry. */
export const DirectoryResourceSchema = objectToCome('DirectoryResourceSchema', PART);
/** Schema of the parameters of a request for a skill. */
export const GetSkillRequestParamsSchema = objectToCome('GetSkillRequestParamsSchema', PART);
/** Schema of the result of a request for a skill. */
export const GetSkillResultSchema = objectToCome('GetSkillResultSchema', PART);
/** Schema of the parameters of a request for the list of skills. */
export const ListSkillsRequestParamsSchema = objectToCome('ListSkillsRequestParamsSchema', PART);
/** Schema of the list of skills. */
export const ListSkillsResultSchema = objectToCome('ListSkillsResultSchema', PART);
/** Schema of the parameters of a request for a directory. */
export const ReadResourceDirectoryRequestParamsSchema = objectToCome('ReadResourceDirectoryRequestParamsSchema', PART);
/** Schema of a directory's list of entries. */
export const ReadResourceDirectoryResultSchema = objectToCome('ReadResourceDirectoryResultSchema', PART);
/** Schema of the cache scope of a skill. */
export const SkillCacheScopeSchema = objectToCome('SkillCacheScopeSchema', PART);
/** Schema of the digest of a file. */
export const SkillDigestSchema = objectToCome('SkillDigestSchema', PART);
/** Schema of a skill's frontmatter. */
export const SkillFrontmatterSchema = objectToCome('SkillFrontmatterSchema', PART);
/** Schema of a file of a skill. */
export const SkillResourceEntrySchema = objectToCome('SkillResourceEntrySchema', PART);
/** Schema of the files of a skill. */
export const SkillResourcesSchema = objectToCome('SkillResourcesSchema', PART);
/** Schema of a skill. */
export const SkillSchema = objectToCome('SkillSchema', PART);

/** Capabilities that may name extensions. */
export type CapabilitiesWithExtensions = { extensions?: Record<string, unknown> };
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
/** The parameters of a request for a skill. Not supported yet. */
export type GetSkillRequestParams = Later;
/** The parameters of a request for the list of skills. Not supported yet. */
export type ListSkillsRequestParams = Later;
/** The parameters of a request for a directory. Not supported yet. */
export type ReadResourceDirectoryRequestParams = Later;
