/**
 * What a server demands when it refuses a request. Owns: reading `WWW-Authenticate`. Must not know:
 * what is done about it.
 */

/**
 * Reads the parameters of `WWW-Authenticate`: the URL of the resource metadata, the required scope
 * and the error code.
 */
export function extractWWWAuthenticateParams(res: Response): {
  resourceMetadataUrl?: URL;
  scope?: string;
  error?: string;
} {
  const header = res.headers.get('WWW-Authenticate');
  const [scheme, rest] = header?.split(' ', 2) ?? [];
  if (!header || scheme?.toLowerCase() !== 'bearer' || !rest) return {};
  const url = parameter(header, 'resource_metadata');
  return {
    resourceMetadataUrl: url !== undefined && URL.canParse(url) ? new URL(url) : undefined,
    scope: parameter(header, 'scope'),
    error: parameter(header, 'error'),
  };
}

/**
 * Reads the URL of the resource metadata from `WWW-Authenticate`.
 *
 * @deprecated Use `extractWWWAuthenticateParams`.
 */
export function extractResourceMetadataUrl(res: Response): URL | undefined {
  return extractWWWAuthenticateParams(res).resourceMetadataUrl;
}

/** A parameter of a challenge, quoted or not. */
function parameter(header: string, name: string): string | undefined {
  const found = new RegExp(`(?:^|[\\s,])${name}=(?:"([^"]*)"|([^\\s,]+))`).exec(header);
  return (found?.[1] ?? found?.[2]) || undefined;
}
