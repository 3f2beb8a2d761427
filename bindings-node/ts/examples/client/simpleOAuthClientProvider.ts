/** The official path of `v1/examples/in-memory-oauth-client`, which defines these names. */
export * from '../../v1/examples/in-memory-oauth-client';
