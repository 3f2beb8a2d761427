/** The official path of `v1/spec-types`, which defines these names. */
export * from './v1/spec-types';
