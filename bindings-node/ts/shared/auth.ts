/** The official path of `protocol/auth`, which defines these names. */
export * from '../protocol/auth';
