/** The official path of `v1/auth/allowed-methods`, which defines these names. */
export * from '../../../v1/auth/allowed-methods';
