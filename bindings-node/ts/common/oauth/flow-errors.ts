/**
 * Errors of authorization on the client's side, with the names of 2.x. Owns: the classes and their
 * texts. Must not know: who throws which.
 */

type AnyClass = abstract new (...parts: never[]) => unknown;

/** Base class of the errors of a client's authorization. */
export class OAuthClientFlowError extends Error {
  /**
   * Creates an error with a message.
   * @param message - What went wrong.
   */
  constructor(message: string) {
    super(message);
    this.name = new.target.name;
  }

  /**
   * Whether a value is an instance of this class.
   * @param value - The value.
   */
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
 * The issuer is not the expected one, which may be a mix-up attack. `received` can come from an
 * attacker; do not show it to users.
 */
export class IssuerMismatchError extends OAuthClientFlowError {
  /** Where the wrong issuer was found. */
  readonly kind: 'metadata' | 'authorization_response';
  /** The expected issuer. */
  readonly expected: string;
  /** The issuer that was named, if any. */
  readonly received: string | undefined;

  /**
   * Creates an error for two issuers.
   * @param kind - The kind of document that names the issuer.
   * @param expected - The issuer that was asked.
   * @param received - The issuer that was named; `undefined` if none was.
   */
  constructor(kind: 'metadata' | 'authorization_response', expected: string, received: string | undefined) {
    super(`Issuer mismatch in ${WHERE[kind]}: expected ${JSON.stringify(expected)}, received ${JSON.stringify(received)}`);
    this.kind = kind;
    this.expected = expected;
    this.received = received;
  }
}

/** The authorization server refused to register the client. */
export class RegistrationRejectedError extends OAuthClientFlowError {
  /** The HTTP status of the response. */
  readonly status: number;
  /** The body of the response: usually the JSON of RFC 7591. */
  readonly body: string;
  /** The client metadata that was sent. */
  readonly submittedMetadata: unknown;

  /**
   * Creates an error for a response.
   * @param args - The status and body of the response, and the metadata that the client sent.
   */
  constructor(args: { status: number; body: string; submittedMetadata: unknown }) {
    super(`Dynamic Client Registration rejected (HTTP ${args.status}): ${args.body}`);
    this.status = args.status;
    this.body = args.body;
    this.submittedMetadata = args.submittedMetadata;
  }
}

/** The token endpoint would receive credentials without encryption. */
export class InsecureTokenEndpointError extends OAuthClientFlowError {
  /** The URL of the endpoint. */
  readonly tokenEndpoint: string;

  /**
   * Creates an error for an endpoint.
   * @param tokenEndpoint - The URL of the endpoint.
   */
  constructor(tokenEndpoint: string) {
    const exempt = 'localhost / *.localhost / 127.0.0.1 / ::1 are exempt';
    const rule = `OAuth token requests MUST use TLS (${exempt}).`;
    super(`Refusing to send credentials to non-https token endpoint '${tokenEndpoint}'. ${rule}`);
    this.tokenEndpoint = tokenEndpoint;
  }
}

/** The stored credentials belong to another authorization server. */
export class AuthorizationServerMismatchError extends OAuthClientFlowError {
  /** The issuer that the credentials belong to. */
  readonly recordedIssuer: string;
  /** The issuer that they would be sent to. */
  readonly currentIssuer: string;

  /**
   * Creates an error for two authorization servers.
   * @param recordedIssuer - The issuer that the credentials came from.
   * @param currentIssuer - The issuer that the server names now.
   */
  constructor(recordedIssuer: string, currentIssuer: string) {
    const [bound, found] = [recordedIssuer, currentIssuer].map((issuer) => JSON.stringify(issuer));
    const words = `credentials are bound to ${bound} but this call resolved ${found}`;
    super(`Authorization server mismatch: ${words}; refusing to present them to a different authorization server`);
    this.recordedIssuer = recordedIssuer;
    this.currentIssuer = currentIssuer;
  }
}

/**
 * The token lacks a scope that the server requires, and the client cannot request more. The members
 * come from the server.
 */
export class InsufficientScopeError extends OAuthClientFlowError {
  /** The scopes that the server requires. */
  readonly requiredScope: string | undefined;
  /** The URL of the resource metadata that the server named. */
  readonly resourceMetadataUrl: URL | undefined;
  /** The server's description of the error. */
  readonly errorDescription: string | undefined;

  /**
   * Creates an error from the server's challenge.
   * @param init - The contents of the challenge: the required scope, the URL of the metadata, a description.
   */
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
