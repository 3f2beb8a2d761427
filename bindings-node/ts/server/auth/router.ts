/** The official path of `v1/auth/router`, which defines these names. */
export * from '../../v1/auth/router';
