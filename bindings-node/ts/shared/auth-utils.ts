/** The path that the official package has for `common/oauth/resource`, which defines these names. */
export * from '../common/oauth/resource';
