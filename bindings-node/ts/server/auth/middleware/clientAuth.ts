/** The path that the official package has for `v1/auth/client-auth`, which defines these names. */
export * from '../../../v1/auth/client-auth';
