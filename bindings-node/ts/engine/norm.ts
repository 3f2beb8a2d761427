/**
 * The engine's options by which servers and clients do as those of the official packages, whichever
 * face they have. Owns: these options. Must not know: what else an engine can be told.
 */

/** The norm of the official packages, by its name in the engine. */
const NAME = 'typescript';

/** Options of a server: each report of progress and each log message leaves, however fast they come. */
export const SERVER_NORM = { norm: NAME, progress_rate: 0, log_rate: 0 };

/** Options of a client. */
export const CLIENT_NORM = { norm: NAME };
