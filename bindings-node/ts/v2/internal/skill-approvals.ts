/**
 * Approvals of skills. Owns: what a host keeps of a user's consent, and asking whether it still holds. Must
 * not know: when it does, which the engine decides; users, and where approvals are kept.
 */
import { SdkError, SdkErrorCode } from './errors';
import { approvalCovers, approvalOf, entryProblems } from './skill-rules';
import type { Skill } from './skill-schemas';

/** That a user agreed to a skill of a server: to just these files of it. A host keeps it as JSON. */
export interface SkillApproval {
  /** The host's own name for the server. */
  server: string;
  /** The URI of the skill's `SKILL.md`. */
  uri: string;
  /** The digests of all files of the skill, as `sha256:` and hexadecimal digits, by their URIs. */
  files: Record<string, string>;
}

/** Thrown when no approval of a skill can be kept. Ask the user each time before such a skill is loaded. */
export class SkillApprovalError extends SdkError {
  /** The URI of the skill's `SKILL.md`. */
  readonly uri: string;

  /**
   * Creates an error for a skill.
   * @param uri - The URI of the skill's `SKILL.md`.
   * @param message - Why no approval can be kept.
   */
  constructor(uri: string, message: string) {
    super(SdkErrorCode.CapabilityNotSupported, message, { uri });
    this.name = 'SkillApprovalError';
    this.uri = uri;
  }
}

/**
 * Makes an approval of the entry that the user has just agreed to. The host keeps it, and asks
 * `isSkillApproved` before it loads the skill again.
 *
 * ```ts
 * const kept = approveSkill('docs', skill); // once the user has seen it and agreed
 * if (!isSkillApproved('docs', skill, kept)) throw new Error('ask the user again');
 * ```
 *
 * @param server - This program's own name for the server. Do not use the name that the server gives itself: any
 *   server may give itself any name.
 * @param skill - The entry of the skill, as the user was shown it.
 * @throws SkillApprovalError if the skill is dynamic: its files may change, so that nothing binds an approval to them.
 * @throws TypeError if the entry is not valid.
 */
export function approveSkill(server: string, skill: Skill): SkillApproval {
  const problems = entryProblems(skill);
  if (problems.length > 0) throw new TypeError(`not a valid skill entry: ${problems.join('; ')}`);
  const approval = approvalOf<SkillApproval>(server, skill);
  if (approval !== null) return approval;
  throw new SkillApprovalError(skill.uri, `the skill ${skill.uri} is dynamic: no approval of it can be kept; ask the user each time`);
}

/**
 * Whether the user agreed to just this skill of just this server, with just these files. If not, ask again before
 * the skill is loaded: a file that was added, removed or changed makes it another one.
 *
 * @param server - This program's own name for the server.
 * @param skill - The entry of the skill, as the server gives it now.
 * @param kept - What `approveSkill` returned, parsed from JSON. Anything else approves nothing.
 * @returns `false` for dynamic skills and for entries that are not valid, too.
 */
export function isSkillApproved(server: string, skill: Skill, kept: unknown): boolean {
  return entryProblems(skill).length === 0 && approvalCovers(server, skill, kept);
}
