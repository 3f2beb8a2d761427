/** The official path of `v1/auth/proxy-provider`, which defines these names. */
export * from '../../../v1/auth/proxy-provider';
