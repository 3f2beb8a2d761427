/** The official path of `v1/sse-keep-alive`, which defines these names. */
export * from '../v1/sse-keep-alive';
