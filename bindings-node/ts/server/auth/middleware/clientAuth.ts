/** The official path of `v1/auth/client-auth`, which defines these names. */
export * from '../../../v1/auth/client-auth';
