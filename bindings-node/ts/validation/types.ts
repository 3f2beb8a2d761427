/** The official path of `protocol/validation`, which defines these names. */
export * from '../protocol/validation';
