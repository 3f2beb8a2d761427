/** The path that the official package has for `common/oauth/client`, which defines these names. */
export * from '../common/oauth/client';
