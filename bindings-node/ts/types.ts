/** The path that the official package has for `protocol/types`, which defines these names. */
export * from './protocol/types';
