/** The path that the official package has for `common/peer/response-message`, which defines these names. */
export * from '../common/peer/response-message';
