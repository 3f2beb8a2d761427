/**
 * Skills of a server with the names of 2.x: `@modelcontextprotocol/server/ext/skills`. Owns: the
 * list of names; serving skills is not supported yet. Must not know: anything.
 */
import { classToCome, functionToCome } from '../../internal/to-come';

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

/** The skills that a server offers. Not supported yet: creating one throws. */
export const SkillCatalog = classToCome('SkillCatalog', PART);
/** The error of a skill that cannot be served. Not supported yet. */
export const SkillCatalogError = classToCome('SkillCatalogError', PART);
/** Serves skills. Not supported yet: creating one throws. */
export const SkillsExtension = classToCome('SkillsExtension', PART);
/** Makes the files of a skill from memory. Not supported yet: calling it throws. */
export const memorySkillFiles = functionToCome('memorySkillFiles', PART);
/** Makes the list entry of a skill. Not supported yet: calling it throws. */
export const skillEntry = functionToCome('skillEntry', PART);
