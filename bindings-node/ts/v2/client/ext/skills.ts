/**
 * Skills of a server with the names of 2.x: `@modelcontextprotocol/client/ext/skills`. Owns:
 * the error of files; reading skills comes with the extension. Must not know: servers.
 */
import { SdkError, SdkErrorCode } from '../../../internal/v2/errors';
import { classToCome } from '../../../internal/v2/to-come';

export {
  DIRECTORY_MIME_TYPE,
  RESOURCES_DIRECTORY_READ_METHOD,
  SKILL_LIMITS,
  SKILLS_EXTENSION_ID,
  SKILLS_GET_METHOD,
  SKILLS_LIST_METHOD,
  type SkillsCapability,
} from '../../../internal/v2/skills';

/** Reads the skills of a server. */
export const SkillsClient = classToCome('SkillsClient', 'the skills extension');

/** How a skill's file failed its verification. */
export type SkillVerificationReason = 'unlisted' | 'size' | 'digest' | 'frontmatter';

/** A file is not what its skill says it is, and must not be used. */
export class SkillVerificationError extends SdkError {
  /** How the file failed its verification. */
  readonly reason: SkillVerificationReason;
  /** The URI of the file. */
  readonly uri: string;
  /** What differs in the frontmatter, a line each. */
  readonly differences: readonly string[];

  /** An error for a file. */
  constructor(reason: SkillVerificationReason, uri: string, message: string, differences: readonly string[] = [], options?: ErrorOptions) {
    super(SdkErrorCode.InvalidResult, message, { reason, uri, differences }, options);
    this.name = 'SkillVerificationError';
    this.reason = reason;
    this.uri = uri;
    this.differences = differences;
  }
}
