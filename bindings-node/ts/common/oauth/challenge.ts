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
}

/**
 * Reads the parameters of `WWW-Authenticate`: the URL of the resource metadata, the required scope
 * and the error code.
 */
export function extractWWWAuthenticateParams(res: Response): {
  resourceMetadataUrl?: URL;
  scope?: string;
  error?: string;
} {
  const header = res.headers.get('WWW-Authenticate')?.trim();
  // A scheme alone demands nothing that could be read.
  if (!header?.includes(' ')) return {};
  const demand = decide<Demand | null>('challenge', { headers: [header] });
  if (demand?.scheme !== 'Bearer') return {};
  const { resource_metadata: url, scope, error } = demand;
  return {
    resourceMetadataUrl: url !== null && URL.canParse(url) ? new URL(url) : undefined,
    scope: scope ?? undefined,
    error: error ?? undefined,
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
