/** The official path of `common/peer/response-message`, which defines these names. */
export * from '../common/peer/response-message';
