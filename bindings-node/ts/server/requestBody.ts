/** The path that the official package has for `engine/http/request-body`, which defines these names. */
export * from '../engine/http/request-body';
