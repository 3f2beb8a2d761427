/** The path that the official package has for `v1/spec-types`, which defines these names. */
export * from './v1/spec-types';
