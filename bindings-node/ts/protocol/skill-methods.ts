/**
 * The methods of skills, an official extension that the protocol's table leaves to itself. Owns: their names.
 * Must not know: what they carry.
 */
/** The method that lists skills. */
export const SKILLS_LIST_METHOD = 'skills/list';
/** The method that gets a skill. */
export const SKILLS_GET_METHOD = 'skills/get';
/** The method that lists a directory. */
export const RESOURCES_DIRECTORY_READ_METHOD = 'resources/directory/read';
