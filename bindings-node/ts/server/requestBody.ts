/** The official path of `engine/http/request-body`, which defines these names. */
export * from '../engine/http/request-body';
