/** The official path of `v1/auth/clients`, which defines these names. */
export * from '../../v1/auth/clients';
