/**
 * Skills of a server with the names of 2.x: `@modelcontextprotocol/client/ext/skills`. Owns: the
 * error class; reading skills is not supported yet. Must not know: servers.
 */
import { SdkError, SdkErrorCode } from '../../internal/errors';
import { classToCome, type ToCome } from '../../internal/to-come';

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
type Later = ToCome<typeof PART>;

/** Reads the skills of a server. Not supported yet: creating one throws. */
export const SkillsClient = classToCome('SkillsClient', PART);
/** An instance of that class. Not supported yet. */
export type SkillsClient = Later;

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

/** An entry of a directory. Not supported yet. */
export type DirectoryResource = Later;
/** The result of a request for a skill. Not supported yet. */
export type GetSkillResult = Later;
/** The list of skills. Not supported yet. */
export type ListSkillsResult = Later;
/** The list of entries of a directory. Not supported yet. */
export type ReadResourceDirectoryResult = Later;
/** A skill. Not supported yet. */
export type Skill = Later;
/** Who may keep a skill. Not supported yet. */
export type SkillCacheScope = Later;
/** The frontmatter of a skill. Not supported yet. */
export type SkillFrontmatter = Later;
/** A file of a skill, as it is listed. Not supported yet. */
export type SkillResourceEntry = Later;
/** The files of a skill, as they are listed. Not supported yet. */
export type SkillResources = Later;
/** A skill that is not valid. Not supported yet. */
export type InvalidSkillEntry = Later;
/** A file of a skill. Not supported yet. */
export type SkillFile = Later;
/** The skills of a server. Not supported yet. */
export type SkillListing = Later;
/** Options of a `SkillsClient`. Not supported yet. */
export type SkillsClientOptions = Later;
