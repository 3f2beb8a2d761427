/**
 * The public names of the skills extension's messages. Owns: which of them are public. Must not know:
 * what they hold.
 */
export {
  DirectoryResourceSchema,
  GetSkillRequestParamsSchema,
  GetSkillResultSchema,
  ListSkillsRequestParamsSchema,
  ListSkillsResultSchema,
  ReadResourceDirectoryRequestParamsSchema,
  ReadResourceDirectoryResultSchema,
  SkillCacheScopeSchema,
  SkillDigestSchema,
  SkillFrontmatterSchema,
  SkillResourceEntrySchema,
  SkillResourcesSchema,
  SkillSchema,
  type DirectoryResource,
  type GetSkillRequestParams,
  type GetSkillResult,
  type ListSkillsRequestParams,
  type ListSkillsResult,
  type ReadResourceDirectoryRequestParams,
  type ReadResourceDirectoryResult,
  type Skill,
  type SkillCacheScope,
  type SkillFrontmatter,
  type SkillResourceEntry,
  type SkillResources,
} from './skill-schemas';
