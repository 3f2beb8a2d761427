/**
 * Schemas of skills with the names of 2.x: `@modelcontextprotocol/core/ext/skills`. Owns: nothing;
 * see `internal/skills` and `internal/skill-schemas`. Must not know: anything.
 */
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
} from '../../internal/skills';
export * from '../../internal/skill-schema-names';

/** Capabilities that may name extensions. */
export type CapabilitiesWithExtensions = { extensions?: Record<string, unknown> };
