/** The official path of `v1/auth/metadata`, which defines these names. */
export * from '../../../v1/auth/metadata';
