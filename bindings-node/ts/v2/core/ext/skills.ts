/**
 * Skills with the names of 2.x: `@modelcontextprotocol/core/ext/skills`. Owns: the list of
 * its schemas, which come with the extension. Must not know: anything.
 */
import { objectToCome } from '../../../internal/v2/to-come';

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
} from '../../../internal/v2/skills';

const PART = 'the skills extension';

/** What is in a directory. */
export const DirectoryResourceSchema = objectToCome('DirectoryResourceSchema', PART);
/** Asks for a skill. */
export const GetSkillRequestParamsSchema = objectToCome('GetSkillRequestParamsSchema', PART);
/** A skill, as a server gives it. */
export const GetSkillResultSchema = objectToCome('GetSkillResultSchema', PART);
/** Asks which skills there are. */
export const ListSkillsRequestParamsSchema = objectToCome('ListSkillsRequestParamsSchema', PART);
/** A page of skills. */
export const ListSkillsResultSchema = objectToCome('ListSkillsResultSchema', PART);
/** Asks what is in a directory. */
export const ReadResourceDirectoryRequestParamsSchema = objectToCome('ReadResourceDirectoryRequestParamsSchema', PART);
/** A page of a directory. */
export const ReadResourceDirectoryResultSchema = objectToCome('ReadResourceDirectoryResultSchema', PART);
/** Whom a copy is for. */
export const SkillCacheScopeSchema = objectToCome('SkillCacheScopeSchema', PART);
/** What names the bytes of a file. */
export const SkillDigestSchema = objectToCome('SkillDigestSchema', PART);
/** What a skill says of itself. */
export const SkillFrontmatterSchema = objectToCome('SkillFrontmatterSchema', PART);
/** A file of a skill. */
export const SkillResourceEntrySchema = objectToCome('SkillResourceEntrySchema', PART);
/** The files of a skill. */
export const SkillResourcesSchema = objectToCome('SkillResourcesSchema', PART);
/** A skill. */
export const SkillSchema = objectToCome('SkillSchema', PART);
