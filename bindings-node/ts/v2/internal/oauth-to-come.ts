/**
 * Authorization features of 2.x clients that are not supported yet. Owns: the list of names. Must
 * not know: anything.
 */
import { classToCome, functionToCome, promiseToCome, type ToCome } from './to-come';

const PART = 'authorization';
type Later = ToCome<typeof PART>;

/** The key of a client's registration in its provider's store: the issuer it belongs to. */
export interface OAuthClientInformationContext {
  /** The issuer of the authorization server. */
  issuer: string;
}

/** Authorizes a client through an identity provider. Not supported yet: creating one throws. */
export const CrossAppAccessProvider = classToCome('CrossAppAccessProvider', PART);
/** An instance of that class. Not supported yet. */
export type CrossAppAccessProvider = Later;
/** A DPoP key and the nonces of servers. Not supported yet: creating one throws. */
export const DpopSession = classToCome('DpopSession', PART);
/** An instance of that class. Not supported yet. */
export type DpopSession = Later;
/** Generates a DPoP key. Not supported yet: the promise rejects. */
export const generateDpopKeyPair = promiseToCome('generateDpopKeyPair', PART);
/** Makes a `fetch` that sends DPoP proofs. Not supported yet: calling it throws. */
export const withDpop = functionToCome('withDpop', PART);
/** Makes a `fetch` that sends DPoP proofs with a provider's key. Not supported yet: calling it throws. */
export const withDpopFromProvider = functionToCome('withDpopFromProvider', PART);
/** Requests a grant from an identity provider. Not supported yet: the promise rejects. */
export const requestJwtAuthorizationGrant = promiseToCome('requestJwtAuthorizationGrant', PART);
/** Discovers an identity provider's endpoint and requests a grant there. Not supported yet: the promise rejects. */
export const discoverAndRequestJwtAuthGrant = promiseToCome('discoverAndRequestJwtAuthGrant', PART);
/** Exchanges a grant for tokens. Not supported yet: the promise rejects. */
export const exchangeJwtAuthGrant = promiseToCome('exchangeJwtAuthGrant', PART);
/** Asks for an assertion of the user. Not supported yet. */
export type AssertionCallback = Later;
/** What an assertion is asked for. Not supported yet. */
export type CrossAppAccessContext = Later;
/** Options of a `CrossAppAccessProvider`. Not supported yet. */
export type CrossAppAccessProviderOptions = Later;
/** Options of `discoverAndRequestJwtAuthGrant`. Not supported yet. */
export type DiscoverAndRequestJwtAuthGrantOptions = Later;
/** A key for DPoP. Not supported yet. */
export type DpopKeyPair = Later;
/** The request that a DPoP proof is for. Not supported yet. */
export type DpopProofRequest = Later;
/** What has a `DpopSession`. Not supported yet. */
export type DpopSessionSource = Later;
/** What has a token that is bound to a key. Not supported yet. */
export type DpopTokenSource = Later;
/** Options of `generateDpopKeyPair`. Not supported yet. */
export type GenerateDpopKeyPairOptions = Later;
/** A grant of an identity provider. Not supported yet. */
export type JwtAuthGrantResult = Later;
/** Options of `requestJwtAuthorizationGrant`. Not supported yet. */
export type RequestJwtAuthGrantOptions = Later;
