/** The path of `v1/auth/identity-assertions`; not in the official package. */
export * from '../../v1/auth/identity-assertions';
