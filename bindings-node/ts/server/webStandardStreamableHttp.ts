/** The official path of `common/server/web-standard-http`, which defines these names. */
export * from '../common/server/web-standard-http';
