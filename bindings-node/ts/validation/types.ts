/** The path that the official package has for `protocol/validation`, which defines these names. */
export * from '../protocol/validation';
