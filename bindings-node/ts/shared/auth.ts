/** The path that the official package has for `protocol/auth`, which defines these names. */
export * from '../protocol/auth';
