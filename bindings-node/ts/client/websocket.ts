/** The path that the official package has for `v1/websocket`, which defines these names. */
export * from '../v1/websocket';
