/**
 * What a server demands when it refuses a request. Owns: the names of what is demanded. Must not
 * know: the grammar of `WWW-Authenticate`, or what is done about a demand.
 */

import { decide } from './decisions';

/** What a challenge demands, as the engine reads it. */
interface Demand {
  scheme: string;
  resource_metadata: string | null;
  scope: string | null;
  error: string | null;
  error_description: string | null;
}

/**
 * Reads the parameters of `WWW-Authenticate`: the URL of the resource metadata, the required scope
 * and the error code.
 * @param res - The response.
 */
export function extractWWWAuthenticateParams(res: Response): {
  resourceMetadataUrl?: URL | undefined;
  scope?: string | undefined;
  error?: string | undefined;
} {
  const { errorDescription: _, ...found } = demanded(res, ['Bearer']);
  return found;
}

/** The same where tokens may be bound to a key as well. */
export function demandedOfToken(res: Response): { resourceMetadataUrl?: URL | undefined; scope?: string | undefined; error?: string | undefined } {
  return demanded(res, ['Bearer', 'DPoP']);
}

/** What a refusal demands, if it is of one of the schemes. */
export function demanded(
  res: Response,
  schemes: string[],
): { resourceMetadataUrl?: URL | undefined; scope?: string | undefined; error?: string | undefined; errorDescription?: string | undefined } {
  const header = res.headers.get('WWW-Authenticate')?.trim();
  // A scheme alone demands nothing that could be read.
  if (!header?.includes(' ')) return {};
  const demand = decide<Demand | null>('challenge', { headers: [header] });
  if (demand === null || !schemes.includes(demand.scheme)) return {};
  const { resource_metadata: url, scope, error, error_description: errorDescription } = demand;
  return {
    resourceMetadataUrl: url !== null && URL.canParse(url) ? new URL(url) : undefined,
    scope: scope ?? undefined,
    error: error ?? undefined,
    errorDescription: errorDescription ?? undefined,
  };
}

/**
 * Reads the URL of the resource metadata from `WWW-Authenticate`.
 *
 * @param res - The response.
 * @deprecated Use `extractWWWAuthenticateParams`.
 */
export function extractResourceMetadataUrl(res: Response): URL | undefined {
  return extractWWWAuthenticateParams(res).resourceMetadataUrl;
}
