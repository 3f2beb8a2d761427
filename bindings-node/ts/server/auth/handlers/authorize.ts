/** The official path of `v1/auth/authorize`, which defines these names. */
export * from '../../../v1/auth/authorize';
