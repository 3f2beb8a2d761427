/** The path that the official package has for `v1/auth/allowed-methods`, which defines these names. */
export * from '../../../v1/auth/allowed-methods';
