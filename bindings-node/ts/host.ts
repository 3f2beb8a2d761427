/** The official path of `v1/host`, which defines these names. */
export * from './v1/host';
