/**
 * What clients of 2.x name for authorization and does not work here yet. Owns: the list.
 * Must not know: anything.
 */
import { classToCome, functionToCome, promiseToCome } from './to-come';

const PART = 'authorization';

/** Signs a client in where an identity provider speaks for its user. */
export const CrossAppAccessProvider = classToCome('CrossAppAccessProvider', PART);
/** A key whose possession is proved, and what servers said of it. */
export const DpopSession = classToCome('DpopSession', PART);
/** Makes such a key. */
export const generateDpopKeyPair = promiseToCome('generateDpopKeyPair', PART);
/** A `fetch` that proves possession of a key. */
export const withDpop = functionToCome('withDpop', PART);
/** The same, with the key of a provider. */
export const withDpopFromProvider = functionToCome('withDpopFromProvider', PART);
/** Asks an identity provider for a grant. */
export const requestJwtAuthorizationGrant = promiseToCome('requestJwtAuthorizationGrant', PART);
/** The same, where its endpoint has to be found first. */
export const discoverAndRequestJwtAuthGrant = promiseToCome('discoverAndRequestJwtAuthGrant', PART);
/** Turns such a grant into tokens. */
export const exchangeJwtAuthGrant = promiseToCome('exchangeJwtAuthGrant', PART);
