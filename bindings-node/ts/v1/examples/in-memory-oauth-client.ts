/** An OAuth client that remembers everything in memory. Owns: what it was told. Must not know: the authorization flow. */
import type { OAuthClientProvider } from '../../common/oauth/provider';
import type { OAuthClientInformationMixed, OAuthClientMetadata, OAuthTokens } from '../../protocol/auth';

/**
 * Keeps client, tokens and code verifier in memory, so that they are lost with the process. For
 * examples and tests.
 *
 * @example
 * const authProvider = new InMemoryOAuthClientProvider('http://localhost:8090/callback', metadata, open);
 */
export class InMemoryOAuthClientProvider implements OAuthClientProvider {
  /** The URL of a document with the client's metadata. */
  readonly clientMetadataUrl?: string;
  private _clientInformation?: OAuthClientInformationMixed;
  private _tokens?: OAuthTokens;
  private _codeVerifier?: string;
  private readonly _onRedirect: (url: URL) => void;

  /**
   * Creates a provider; without `onRedirect` the URL to visit is printed.
   * @param onRedirect - Called with the URL at which the user signs in. Default: it is printed.
   * @param clientMetadataUrl - An HTTPS URL with the client's metadata, used as its client id. Default: none.
   */
  constructor(
    private readonly _redirectUrl: string | URL,
    private readonly _clientMetadata: OAuthClientMetadata,
    onRedirect?: (url: URL) => void,
    clientMetadataUrl?: string,
  ) {
    this.clientMetadataUrl = clientMetadataUrl;
    this._onRedirect = onRedirect || ((url) => console.log(`Redirect to: ${url}`));
  }

  /** The URL that the user is redirected back to. */
  get redirectUrl(): string | URL {
    return this._redirectUrl;
  }

  /** The metadata to register with. */
  get clientMetadata(): OAuthClientMetadata {
    return this._clientMetadata;
  }

  /** The registered client, if there is one. */
  clientInformation(): OAuthClientInformationMixed | undefined {
    return this._clientInformation;
  }

  /**
   * Remembers a registered client.
   * @param clientInformation - The client's id and secret.
   */
  saveClientInformation(clientInformation: OAuthClientInformationMixed): void {
    this._clientInformation = clientInformation;
  }

  /** The tokens, if there are some. */
  tokens(): OAuthTokens | undefined {
    return this._tokens;
  }

  /**
   * Remembers tokens.
   * @param tokens - The tokens.
   */
  saveTokens(tokens: OAuthTokens): void {
    this._tokens = tokens;
  }

  /**
   * Hands the URL where the user authorizes the client to the function that was given.
   * @param authorizationUrl - The URL at which the user signs in.
   */
  redirectToAuthorization(authorizationUrl: URL): void {
    this._onRedirect(authorizationUrl);
  }

  /**
   * Remembers the PKCE code verifier.
   * @param codeVerifier - The code verifier.
   */
  saveCodeVerifier(codeVerifier: string): void {
    this._codeVerifier = codeVerifier;
  }

  /** The PKCE code verifier; throws if there is none. */
  codeVerifier(): string {
    if (!this._codeVerifier) throw new Error('No code verifier saved');
    return this._codeVerifier;
  }
}
