/** The path that the official package has for `v1/auth/clients`, which defines these names. */
export * from '../../v1/auth/clients';
