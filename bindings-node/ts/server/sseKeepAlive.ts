/** The path that the official package has for `engine/http/keep-alive`, which defines these names. */
export * from '../engine/http/keep-alive';
