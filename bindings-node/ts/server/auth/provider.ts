/** The official path of `v1/auth/provider`, which defines these names. */
export * from '../../v1/auth/provider';
