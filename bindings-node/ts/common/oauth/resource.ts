/** URLs of protected resources (RFC 8707). Owns: their form as `URL`. Must not know: how tokens are requested. */
import { decide } from './decisions';

/**
 * The resource URL of a server: its URL without the fragment.
 * @param url - The URL of the server.
 */
export function resourceUrlFromServerUrl(url: URL | string): URL {
  const resource = new URL(url);
  resource.hash = '';
  return resource;
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
  const [one, other] = [configuredResource, requestedResource].map((url) => new URL(url).href);
  return decide<boolean>('resource_fits', { one, other });
}
