/**
 * Types that servers and clients of 2.x both export and no other module of this face defines. Owns:
 * the list, and what each is made of. Must not know: anything that runs.
 */
import type { NotificationTypeMap } from '../../generated/methods';
import type { OAuthClientInformationMixed, OAuthTokens } from '../../protocol/auth';
import type {
  CreateMessageResult,
  ElicitResult,
  Implementation,
  ListRootsResult,
  RequestMeta,
  ResourceTemplate,
} from '../../protocol/types';
import type {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  INVALID_REQUEST,
  METHOD_NOT_FOUND,
  PARSE_ERROR,
  PROTOCOL_VERSION_META_KEY,
  SERVER_INFO_META_KEY,
  SUBSCRIPTION_ID_META_KEY,
} from './constants';
import type { InputRequiredResult } from './input';
import type { ResultTypeMap as ResultTypeMapOf2 } from './tool-types';

export type { NotificationTypeMap, RequestTypeMap } from '../../generated/methods';
export type {
  DiscoverRequest,
  DiscoverResult,
  SubscriptionFilter,
  SubscriptionsAcknowledgedNotification,
  SubscriptionsAcknowledgedNotificationParams,
  SubscriptionsListenRequest,
  SubscriptionsListenRequestParams,
  SubscriptionsListenResult,
} from '../../generated/types';
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
} from '../../protocol/auth';
export type { JSONArray, JSONObject, JSONValue } from '../core';
export type { ResultTypeMap } from './tool-types';

/** The results that handlers of the protocol's methods return; three may ask the client for input first. */
export type HandlerResultTypeMap = {
  [M in keyof ResultTypeMapOf2]: M extends 'tools/call' | 'prompts/get' | 'resources/read'
    ? ResultTypeMapOf2[M] | InputRequiredResult
    : ResultTypeMapOf2[M];
};
/** The method of a notification of the protocol. */
export type NotificationMethod = keyof NotificationTypeMap;
/** A group of revisions: `legacy` up to 2025-11-25, with a handshake; `modern` from 2026-07-28 on, without. */
export type ProtocolEra = 'legacy' | 'modern';
/** What a client answers when a server asks for input. */
export type InputResponse = CreateMessageResult | ListRootsResult | ElicitResult;
/** A resource template as it is listed. (`ResourceTemplate` is the class that servers register.) */
export type ResourceTemplateType = ResourceTemplate;

/** The `_meta` of a message. */
export type MetaObject = Record<string, unknown>;
/** The `_meta` of a request. */
export type RequestMetaObject = RequestMeta;
/** The client's revision, capabilities and name in the `_meta` of each request since 2026-07-28. */
export type RequestMetaEnvelope = {
  [PROTOCOL_VERSION_META_KEY]?: string;
  [CLIENT_INFO_META_KEY]?: Implementation;
  [CLIENT_CAPABILITIES_META_KEY]?: Record<string, unknown>;
};
/** The `_meta` of a result; since 2026-07-28 it may name the server. */
export type ResultMetaObject = {
  [SERVER_INFO_META_KEY]?: Implementation;
  [key: string]: unknown;
};
/** The `_meta` of the result of `subscriptions/listen`. */
export type SubscriptionsListenResultMeta = ResultMetaObject & { [SUBSCRIPTION_ID_META_KEY]: string | number };

/** The error of a JSON-RPC message. */
interface JSONRPCErrorObject {
  /** The error code. */
  code: number;
  /** What went wrong, in a sentence. */
  message: string;
  /** Further data, any JSON value. */
  data?: unknown;
}
/** The error of a message that is not valid JSON. */
export interface ParseError extends JSONRPCErrorObject {
  /** Always -32700. */
  code: typeof PARSE_ERROR;
}
/** The error of a message that is not a valid request. */
export interface InvalidRequestError extends JSONRPCErrorObject {
  /** Always -32600. */
  code: typeof INVALID_REQUEST;
}
/** The error of a request whose method is unknown. */
export interface MethodNotFoundError extends JSONRPCErrorObject {
  /** Always -32601. */
  code: typeof METHOD_NOT_FOUND;
}
/** The error of a request whose parameters are not valid. */
export interface InvalidParamsError extends JSONRPCErrorObject {
  /** Always -32602. */
  code: typeof INVALID_PARAMS;
}
/** The error of a request whose receiver failed. */
export interface InternalError extends JSONRPCErrorObject {
  /** Always -32603. */
  code: typeof INTERNAL_ERROR;
}

/** Tokens as a provider stores them: with the issuer they came from. */
export type StoredOAuthTokens = OAuthTokens & {
  /** The issuer of the authorization server. */
  issuer?: string;
};
/** A client's registration as a provider stores it: with the issuer it is registered with. */
export type StoredOAuthClientInformation = OAuthClientInformationMixed & {
  /** The issuer of the authorization server. */
  issuer?: string;
};
