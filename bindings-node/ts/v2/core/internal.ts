/**
 * What the official packages share among themselves: `@modelcontextprotocol/core/internal`. Owns:
 * the schemas that are only exported there. Must not know: who narrows them.
 */
import type * as t from '../../generated/types';
import { specSchema } from '../../protocol/schema/schema';

export * from '../core';
export {
  BAGGAGE_META_KEY,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  INVALID_REQUEST,
  LOG_LEVEL_META_KEY,
  METHOD_NOT_FOUND,
  PARSE_ERROR,
  PROTOCOL_VERSION_META_KEY,
  SERVER_INFO_META_KEY,
  SUBSCRIPTION_ID_META_KEY,
  TRACEPARENT_META_KEY,
  TRACESTATE_META_KEY,
} from '../internal/constants';
export {
  DEFAULT_NEGOTIATED_PROTOCOL_VERSION,
  JSONRPC_VERSION,
  LATEST_PROTOCOL_VERSION,
  RELATED_TASK_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '../../protocol/types';
export { OptionalSafeUrlSchema, SafeUrlSchema } from '../../protocol/auth';
export type {
  AuthorizationServerMetadata,
  OAuthClientInformation,
  OAuthClientInformationFull,
  OAuthClientInformationMixed,
  OAuthClientMetadata,
  OAuthClientRegistrationError,
  OAuthErrorResponse,
  OAuthMetadata,
  OAuthProtectedResourceMetadata,
  OAuthTokenRevocationRequest,
  OAuthTokens,
  OpenIdProviderDiscoveryMetadata,
  OpenIdProviderMetadata,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '../internal/type-names';

/** Schema of the parameters that any request may have. */
export const BaseRequestParamsSchema = specSchema<t.RequestParams>('RequestParams');
/** Schema of the parameters that any notification may have. */
export const NotificationsParamsSchema = specSchema<t.NotificationParams>('NotificationParams');
/** Schema of the capability that declares which requests a client runs as tasks. */
export const ClientTasksCapabilitySchema = specSchema<t.ClientTasksCapability>('ClientTasksCapability');
/** Schema of the capability that declares which requests a server runs as tasks. */
export const ServerTasksCapabilitySchema = specSchema<t.ServerTasksCapability>('ServerTasksCapability');
/** Schema of the options that say what to do when a list changes. */
export const ListChangedOptionsBaseSchema = specSchema<t.ListChangedOptionsBase>('ListChangedOptionsBase');
