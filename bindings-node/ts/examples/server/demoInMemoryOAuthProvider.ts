/** The path that the official package has for `v1/examples/demo-auth-server`, which defines these names. */
export * from '../../v1/examples/demo-auth-server';
