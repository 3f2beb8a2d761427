/**
 * Skills that are files, with the names of 2.x: `@modelcontextprotocol/server/ext/skills/node`.
 * Owns: the list; serving skills comes with the extension. Must not know: anything.
 */
import { functionToCome, promiseToCome } from '../../../../internal/v2/to-come';

/** Reads the skills in a folder. */
export const loadSkills = promiseToCome('loadSkills', 'the skills extension');
/** Files of a skill that are in a folder. */
export const nodeSkillFiles = functionToCome('nodeSkillFiles', 'the skills extension');
