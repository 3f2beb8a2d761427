/** The official path of `common/oauth/resource`, which defines these names. */
export * from '../common/oauth/resource';
