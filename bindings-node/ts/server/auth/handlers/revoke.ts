/** The official path of `v1/auth/revoke`, which defines these names. */
export * from '../../../v1/auth/revoke';
