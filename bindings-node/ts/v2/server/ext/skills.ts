/**
 * Skills of a server with the names of 2.x: `@modelcontextprotocol/server/ext/skills`. Owns:
 * the list; serving skills comes with the extension. Must not know: anything.
 */
import { classToCome, functionToCome } from '../../../internal/v2/to-come';

export {
  DIRECTORY_MIME_TYPE,
  RESOURCES_DIRECTORY_READ_METHOD,
  SKILL_LIMITS,
  SKILLS_EXTENSION_ID,
  SKILLS_GET_METHOD,
  SKILLS_LIST_METHOD,
  type SkillsCapability,
} from '../../../internal/v2/skills';

const PART = 'the skills extension';

/** The skills that a server has. */
export const SkillCatalog = classToCome('SkillCatalog', PART);
/** A skill cannot be served. */
export const SkillCatalogError = classToCome('SkillCatalogError', PART);
/** Serves skills. */
export const SkillsExtension = classToCome('SkillsExtension', PART);
/** Files of a skill that are in memory. */
export const memorySkillFiles = functionToCome('memorySkillFiles', PART);
/** A skill as it is listed. */
export const skillEntry = functionToCome('skillEntry', PART);
