/** The endpoint that says what an authorization server is. Owns: that it may be read by anyone. Must not know: what it says. */
/** @ts-ignore Express is a peer that a program may do without. */
import type { RequestHandler } from 'express';
import { guardedRouter } from '../../../internal/auth-endpoint';
import type { OAuthMetadata, OAuthProtectedResourceMetadata } from '../../../shared/auth';

/** Answers with metadata. */
export function metadataHandler(metadata: OAuthMetadata | OAuthProtectedResourceMetadata): RequestHandler {
  const router = guardedRouter({ methods: ['GET', 'OPTIONS'], anyOrigin: true });
  router.get('/', (_req, res) => void res.status(200).json(metadata));
  return router;
}
