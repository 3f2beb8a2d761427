/**
 * Bearer tokens that the program verifies. Owns: the engine's rules for the options of a face, and
 * refusals in its errors. Must not know: how a token is verified, what is refused.
 */
import { failureOf } from '../../engine/failure';
import { native, type NativeBearerRules } from '../../engine/native';
import type { AuthInfo } from '../../protocol/auth-info';

/** What a server asks of tokens. */
export interface BearerOptions {
  readonly requiredScopes?: readonly string[] | undefined;
  readonly resourceMetadataUrl?: string | undefined;
  readonly expectedResource?: URL | undefined;
}

/** An answer to a request that is refused. */
export interface BearerAnswer {
  readonly status: number;
  readonly headers: Record<string, string>;
}

/** Makes the error of a face. */
type Telling = (code: string, text: string) => Error;

/** The rules of one server. */
export class Bearer {
  readonly #rules: NativeBearerRules;
  readonly #tell: Telling;

  /** @param tell - The error of the face for a refusal. */
  constructor(words: 'typescript' | 'typescript2', options: BearerOptions, tell: Telling) {
    const { requiredScopes: required_scopes, resourceMetadataUrl: metadata_url, expectedResource } = options;
    const resource = expectedResource && String(expectedResource);
    this.#rules = new native.BearerRules(JSON.stringify({ words, required_scopes, metadata_url, resource }));
    this.#tell = tell;
  }

  /** The token in the value of `Authorization`. */
  token(header: string | null | undefined): string {
    return this.#refusing(() => this.#rules.token(header ?? undefined));
  }

  /** Throws unless what is known about a token makes it good here. */
  check({ scopes, expiresAt, resource }: AuthInfo): void {
    const end = typeof expiresAt === 'number' ? expiresAt : undefined;
    this.#refusing(() => this.#rules.judge(scopes ?? [], end, resource && String(resource)));
  }

  /** The status and headers for an error of the face, given as the body of its response. */
  answer(refused: object): BearerAnswer {
    return JSON.parse(this.#rules.answer(JSON.stringify(refused))) as BearerAnswer;
  }

  /** The challenge for scopes that one operation needs. */
  challenge(text: string, scopes: readonly string[]): string {
    return this.#rules.challenge(text, scopes);
  }

  #refusing<T>(check: () => T): T {
    try {
      return check();
    } catch (error) {
      const refused = failureOf(error)?.data as { error: string; error_description: string } | undefined;
      throw refused ? this.#tell(refused.error, refused.error_description) : error;
    }
  }
}
