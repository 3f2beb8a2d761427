/**
 * Authorization features of 2.x clients that are not supported yet. Owns: the list of names. Must
 * not know: anything.
 */
import { classToCome, functionToCome, promiseToCome } from './to-come';

const PART = 'authorization';

/** Authorizes a client through an identity provider. Not supported yet: creating one throws. */
export const CrossAppAccessProvider = classToCome('CrossAppAccessProvider', PART);
/** A DPoP key and the nonces of servers. Not supported yet: creating one throws. */
export const DpopSession = classToCome('DpopSession', PART);
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
