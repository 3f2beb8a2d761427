/**
 * Skills, as far as both sides name them. Owns: the extension's names, bounds and its
 * capability. Must not know: how skills are kept or read.
 */
import { inlineSchema, type AnySpecSchema } from '../schema';

/** What the extension is called among a server's capabilities. */
export const SKILLS_EXTENSION_ID = 'io.modelcontextprotocol/skills';
/** Asks which skills there are. */
export const SKILLS_LIST_METHOD = 'skills/list';
/** Asks for one of them. */
export const SKILLS_GET_METHOD = 'skills/get';
/** Asks what is in a directory. */
export const RESOURCES_DIRECTORY_READ_METHOD = 'resources/directory/read';
/** The type of a directory's contents. */
export const DIRECTORY_MIME_TYPE = 'inode/directory';
/** What every host takes of a skill: so many files, so many bytes. */
export const SKILL_LIMITS = Object.freeze({ files: 512, bytes: 16_777_216 });
/** What names the bytes of a file. */
export const SKILL_DIGEST_PATTERN = /^sha256:[\da-f]{64}$/;

/** What a server says of its skills. */
export interface SkillsCapability {
  /** Whether directories can be read. */
  directoryRead?: boolean;
}

/** What a server says of its skills. */
export const SkillsCapabilitySchema: AnySpecSchema<SkillsCapability> = inlineSchema({
  type: 'object',
  properties: { directoryRead: { type: 'boolean' } },
});

/** What a peer says of its skills; `undefined` if it has none, or says it wrongly. */
export function skillsCapabilityOf(capabilities: { extensions?: Record<string, unknown> } | undefined): SkillsCapability | undefined {
  const declared = capabilities?.extensions?.[SKILLS_EXTENSION_ID];
  return declared === undefined ? undefined : SkillsCapabilitySchema.safeParse(declared).data;
}
