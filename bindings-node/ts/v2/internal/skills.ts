/**
 * Names of the skills extension that servers and clients share. Owns: the extension's names, limits
 * and capability. Must not know: how skills are stored or read.
 */
import { inlineSchema, type AnySpecSchema } from '../../protocol/schema/schema';

export { RESOURCES_DIRECTORY_READ_METHOD, SKILLS_GET_METHOD, SKILLS_LIST_METHOD } from '../../protocol/skill-methods';

/** The extension's key in a peer's capabilities. */
export const SKILLS_EXTENSION_ID = 'io.modelcontextprotocol/skills';
/** The MIME type of a directory's contents. */
export const DIRECTORY_MIME_TYPE = 'inode/directory';
/** The size of a skill that every host accepts: number of files, and bytes in total. */
export const SKILL_LIMITS = Object.freeze({ files: 512, bytes: 16_777_216 });
/** The pattern of a file's digest. */
export const SKILL_DIGEST_PATTERN = /^sha256:[\da-f]{64}$/;

/** The capability that declares skills. */
export interface SkillsCapability {
  /** Whether directories can be listed. */
  directoryRead?: boolean;
}

/** Schema of the capability that declares skills. */
export const SkillsCapabilitySchema: AnySpecSchema<SkillsCapability> = inlineSchema({
  type: 'object',
  properties: { directoryRead: { type: 'boolean' } },
});

/**
 * The skills capability of a peer; `undefined` if it is absent or not valid.
 * @param capabilities - The capabilities that the server declared.
 */
export function skillsCapabilityOf(capabilities: { extensions?: Record<string, unknown> } | undefined): SkillsCapability | undefined {
  const declared = capabilities?.extensions?.[SKILLS_EXTENSION_ID];
  return declared === undefined ? undefined : SkillsCapabilitySchema.safeParse(declared).data;
}
