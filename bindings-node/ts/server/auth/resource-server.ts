/** The path of `v1/auth/resource-server`; not in the official package. */
export * from '../../v1/auth/resource-server';
