/**
 * Skills in files, with the names of 2.x: `@modelcontextprotocol/server/ext/skills/node`. Owns: the
 * list of names; serving skills is not supported yet. Must not know: anything.
 */
import { functionToCome, promiseToCome } from '../../../internal/to-come';

/** Reads the skills in a folder. Not supported yet: the promise rejects. */
export const loadSkills = promiseToCome('loadSkills', 'the skills extension');
/** Makes the files of a skill from a folder. Not supported yet: calling it throws. */
export const nodeSkillFiles = functionToCome('nodeSkillFiles', 'the skills extension');
