/**
 * Skills of a server with the names of 2.x: `@modelcontextprotocol/client/ext/skills`, and approvals, which the
 * official package has not. Owns: nothing; see `internal/skills-client`. Must not know: servers.
 */
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
export { approveSkill, isSkillApproved, SkillApprovalError, type SkillApproval } from '../../internal/skill-approvals';
export {
  SkillsClient,
  SkillVerificationError,
  type InvalidSkillEntry,
  type SkillFile,
  type SkillListing,
  type SkillsClientOptions,
  type SkillVerificationReason,
} from '../../internal/skills-client';
