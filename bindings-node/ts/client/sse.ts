/** The official path of `common/client/sse`, which defines these names. */
export * from '../common/client/sse';
