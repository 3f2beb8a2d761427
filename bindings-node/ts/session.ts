/** The live connection of a client. Owns: nothing; it is defined beside the client. */
export { ClientSession } from './v1/client';
export { sessionOf, type SessionControl, type SessionInfo, type SessionState, type SessionStats } from './engine/client/session';
