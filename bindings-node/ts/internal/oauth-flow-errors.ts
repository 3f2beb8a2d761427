/**
 * What goes wrong with authorization on a client's side, as 2.x names it. Owns: the classes
 * and their texts. Must not know: who throws which.
 */

type AnyClass = abstract new (...parts: never[]) => unknown;

/** What all of them are. */
export class OAuthClientFlowError extends Error {
  /** An error in words. */
  constructor(message: string) {
    super(message);
    this.name = new.target.name;
  }

  /** Whether a value is of this class. */
  static isInstance<T extends AnyClass>(this: T, value: unknown): value is InstanceType<T> {
    if (typeof this !== 'function') {
      throw new TypeError('isInstance must be called on the class; as a callback write v => OAuthClientFlowError.isInstance(v)');
    }
    return value instanceof this;
  }
}

const WHERE = {
  metadata: 'authorization server metadata (RFC 8414 §3.3)',
  authorization_response: 'authorization response (RFC 9207)',
};

/**
 * An authorization server is not the one it should be: someone may have mixed two of them up.
 * `received` can come from an attacker; do not show it to users.
 */
export class IssuerMismatchError extends OAuthClientFlowError {
  /** Where it was found. */
  readonly kind: 'metadata' | 'authorization_response';
  /** The issuer it should be. */
  readonly expected: string;
  /** The issuer that was named, if any. */
  readonly received: string | undefined;

  /** An error for two issuers. */
  constructor(kind: 'metadata' | 'authorization_response', expected: string, received: string | undefined) {
    super(`Issuer mismatch in ${WHERE[kind]}: expected ${JSON.stringify(expected)}, received ${JSON.stringify(received)}`);
    this.kind = kind;
    this.expected = expected;
    this.received = received;
  }
}

/** An authorization server does not register a client. */
export class RegistrationRejectedError extends OAuthClientFlowError {
  /** The status of its answer. */
  readonly status: number;
  /** Its answer as it came: usually the JSON of RFC 7591. */
  readonly body: string;
  /** What the client said of itself. */
  readonly submittedMetadata: unknown;

  /** An error for an answer. */
  constructor(args: { status: number; body: string; submittedMetadata: unknown }) {
    super(`Dynamic Client Registration rejected (HTTP ${args.status}): ${args.body}`);
    this.status = args.status;
    this.body = args.body;
    this.submittedMetadata = args.submittedMetadata;
  }
}

/** Credentials would go over the network in clear. */
export class InsecureTokenEndpointError extends OAuthClientFlowError {
  /** Where they would go. */
  readonly tokenEndpoint: string;

  /** An error for an endpoint. */
  constructor(tokenEndpoint: string) {
    const exempt = 'localhost / *.localhost / 127.0.0.1 / ::1 are exempt';
    const rule = `OAuth token requests MUST use TLS (${exempt}).`;
    super(`Refusing to send credentials to non-https token endpoint '${tokenEndpoint}'. ${rule}`);
    this.tokenEndpoint = tokenEndpoint;
  }
}

/** Credentials of one authorization server would go to another. */
export class AuthorizationServerMismatchError extends OAuthClientFlowError {
  /** Whose they are. */
  readonly recordedIssuer: string;
  /** Where they would go. */
  readonly currentIssuer: string;

  /** An error for two authorization servers. */
  constructor(recordedIssuer: string, currentIssuer: string) {
    const [bound, found] = [recordedIssuer, currentIssuer].map((issuer) => JSON.stringify(issuer));
    const words = `credentials are bound to ${bound} but this call resolved ${found}`;
    super(`Authorization server mismatch: ${words}; refusing to present them to a different authorization server`);
    this.recordedIssuer = recordedIssuer;
    this.currentIssuer = currentIssuer;
  }
}

/** The credentials are good for less than the server wants, and nothing here can ask for more. What it says is the server's. */
export class InsufficientScopeError extends OAuthClientFlowError {
  /** What the server wants. */
  readonly requiredScope: string | undefined;
  /** Where the server says its metadata is. */
  readonly resourceMetadataUrl: URL | undefined;
  /** In the server's words. */
  readonly errorDescription: string | undefined;

  /** An error for what the server said. */
  constructor(init: {
    requiredScope?: string | undefined;
    resourceMetadataUrl?: URL | undefined;
    errorDescription?: string | undefined;
  }) {
    super(`Insufficient scope${init.requiredScope ? `: required "${init.requiredScope}"` : ''}`);
    this.requiredScope = init.requiredScope;
    this.resourceMetadataUrl = init.resourceMetadataUrl;
    this.errorDescription = init.errorDescription;
  }
}
