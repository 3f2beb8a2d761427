/** The metadata endpoints. Owns: that pages of any origin may read them. Must not know: what the metadata says. */
/** @ts-ignore Express is a peer that a program may do without. */
import type { RequestHandler } from 'express';
import { guardedRouter } from './endpoint';
import type { OAuthMetadata, OAuthProtectedResourceMetadata } from '../../protocol/auth';

/**
 * Returns a handler that responds with this metadata.
 * @param metadata - The metadata.
 */
export function metadataHandler(metadata: OAuthMetadata | OAuthProtectedResourceMetadata): RequestHandler {
  const router = guardedRouter({ methods: ['GET', 'OPTIONS'], anyOrigin: true });
  router.get('/', (_req, res) => void res.status(200).json(metadata));
  return router;
}
