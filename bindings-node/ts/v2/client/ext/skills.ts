/**
 * Skills of a server with the names of 2.x: `@modelcontextprotocol/client/ext/skills`. Owns: the
 * error class; reading skills is not supported yet. Must not know: servers.
 */
import { SdkError, SdkErrorCode } from '../../internal/errors';
import { classToCome } from '../../internal/to-come';

export {
  DIRECTORY_MIME_TYPE,
  RESOURCES_DIRECTORY_READ_METHOD,
  SKILL_LIMITS,
  SKILLS_EXTENSION_ID,
  SKILLS_GET_METHOD,
  SKILLS_LIST_METHOD,
  type SkillsCapability,
} from '../../internal/skills';

/** Reads the skills of a server. Not supported yet: creating one throws. */
export const SkillsClient = classToCome('SkillsClient', 'the skills extension');

/** What differs between a file and its skill's description. */
export type SkillVerificationReason = 'unlisted' | 'size' | 'digest' | 'frontmatter';

/** Thrown when a file does not match its skill's description. The file must not be used. */
export class SkillVerificationError extends SdkError {
  /** What differs. */
  readonly reason: SkillVerificationReason;
  /** The URI of the file. */
  readonly uri: string;
  /** The differences in the frontmatter, one line each. */
  readonly differences: readonly string[];

  /** Creates an error for a file. */
  constructor(reason: SkillVerificationReason, uri: string, message: string, differences: readonly string[] = [], options?: ErrorOptions) {
    super(SdkErrorCode.InvalidResult, message, { reason, uri, differences }, options);
    this.name = 'SkillVerificationError';
    this.reason = reason;
    this.uri = uri;
    this.differences = differences;
  }
}
