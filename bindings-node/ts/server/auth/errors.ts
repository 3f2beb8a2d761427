/** The official path of `common/oauth/errors`, which defines these names. */
export * from '../../common/oauth/errors';
