/** The official path of `v1/auth/register`, which defines these names. */
export * from '../../../v1/auth/register';
