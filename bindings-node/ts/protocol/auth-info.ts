/** What is known about the sender of a request. Owns: the shape. Must not know: who verified it. */

/** A validated access token, as handlers see it in `extra.authInfo`. */
export interface AuthInfo {
  /** The access token. */
  token: string;
  /** The id of the client it was issued to. */
  clientId: string;
  /** The scopes it grants. */
  scopes: string[];
  /** When it expires, in seconds since 1970. */
  expiresAt?: number;
  /** The resource it was issued for (RFC 8707). */
  resource?: URL;
  /** Additional data from whatever verified the token. */
  extra?: Record<string, unknown>;
}
