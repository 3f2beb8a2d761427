/** The path that the official package has for `common/oauth/errors`, which defines these names. */
export * from '../../common/oauth/errors';
