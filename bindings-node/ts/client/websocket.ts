/** The official path of `v1/websocket`, which defines these names. */
export * from '../v1/websocket';
