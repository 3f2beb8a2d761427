/** The official path of `v1/auth/bearer-auth`, which defines these names. */
export * from '../../../v1/auth/bearer-auth';
