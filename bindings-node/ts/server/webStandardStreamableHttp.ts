/** The path that the official package has for `common/server/web-standard-http`, which defines these names. */
export * from '../common/server/web-standard-http';
