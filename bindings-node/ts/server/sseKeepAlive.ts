/** The official path of `engine/http/keep-alive`, which defines these names. */
export * from '../engine/http/keep-alive';
