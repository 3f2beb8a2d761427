/** What is known of the sender of a request. Owns: the shape. Must not know: who found it out. */

/** A validated access token, as handlers see it. */
export interface AuthInfo {
  /** The access token. */
  token: string;
  /** The client it was issued to. */
  clientId: string;
  /** The scopes of the token. */
  scopes: string[];
  /** When the token expires, in seconds since 1970. */
  expiresAt?: number;
  /** The server the token was issued for (RFC 8707). */
  resource?: URL;
  /** Anything else the verifier wants to add. */
  extra?: Record<string, unknown>;
}
