/** The path of `v1/auth/client-documents`; not in the official package. */
export { ClientDocuments } from '../../v1/auth/client-documents';
export type { ClientDocumentOptions, DocumentClient } from '../../v1/auth/client-documents';
