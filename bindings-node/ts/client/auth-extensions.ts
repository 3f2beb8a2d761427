/** The official path of `common/oauth/extensions`, which defines these names. */
export * from '../common/oauth/extensions';
