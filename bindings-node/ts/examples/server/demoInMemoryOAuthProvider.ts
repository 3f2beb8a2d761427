/** The official path of `v1/examples/demo-auth-server`, which defines these names. */
export * from '../../v1/examples/demo-auth-server';
