/** The path that the official package has for `v1/examples/in-memory-oauth-client`, which defines these names. */
export * from '../../v1/examples/in-memory-oauth-client';
