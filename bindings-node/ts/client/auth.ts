/** The official path of `common/oauth/client`, which defines these names. */
export * from '../common/oauth/client';
