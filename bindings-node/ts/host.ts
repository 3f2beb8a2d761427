/** The path that the official package has for `v1/host`, which defines these names. */
export * from './v1/host';
