/** The official path of `v1/auth/token`, which defines these names. */
export * from '../../../v1/auth/token';
