/** The official path of `protocol/types`, which defines these names. */
export * from './protocol/types';
