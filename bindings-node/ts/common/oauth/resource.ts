/** URLs of protected resources (RFC 8707). Owns: making and comparing them. Must not know: how tokens are requested. */

/** The resource URL of a server: its URL without the fragment. */
export function resourceUrlFromServerUrl(url: URL | string): URL {
  const resource = new URL(url);
  resource.hash = '';
  return resource;
}

/** A path that ends with a slash, so that `/api` does not begin `/api123`. */
function folder(path: string): string {
  return path.endsWith('/') ? path : `${path}/`;
}

/**
 * Whether a token for `configuredResource` may be used for `requestedResource`: the origins are
 * equal, and the requested path is the configured one or below it.
 */
export function checkResourceAllowed({
  requestedResource,
  configuredResource,
}: {
  /** The resource that is to be accessed. */
  requestedResource: URL | string;
  /** The resource the token was issued for. */
  configuredResource: URL | string;
}): boolean {
  const requested = new URL(requestedResource);
  const configured = new URL(configuredResource);
  if (requested.origin !== configured.origin) return false;
  // A requested `/api` is not inside `/api/`.
  if (requested.pathname.length < configured.pathname.length) return false;
  return folder(requested.pathname).startsWith(folder(configured.pathname));
}
