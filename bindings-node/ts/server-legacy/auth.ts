/**
 * Authorization servers: `@modelcontextprotocol/server-legacy/auth`. Owns: the list of modules;
 * those of 1.x define these names, but for the router, whose answers name the issuer.
 */
export type { AuthInfo } from '../protocol/auth-info';
export * from '../common/oauth/errors';
export * from '../v1/auth/allowed-methods';
export * from '../v1/auth/authorize';
export * from '../v1/auth/bearer-auth';
export * from '../v1/auth/client-auth';
export { ClientDocuments } from '../v1/auth/client-documents';
export type { ClientDocumentOptions, DocumentClient } from '../v1/auth/client-documents';
export * from '../v1/auth/clients';
export * from '../v1/auth/identity-assertions';
export * from '../v1/auth/metadata';
export { createOAuthMetadata, mcpAuthRouter } from '../v1/auth/naming-router';
export * from '../v1/auth/provider';
export * from '../v1/auth/proxy-provider';
export * from '../v1/auth/register';
export * from '../v1/auth/revoke';
export * from '../v1/auth/router';
export * from '../v1/auth/token';
