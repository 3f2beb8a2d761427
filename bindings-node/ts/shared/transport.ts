/** The official path of `protocol/transport`, which defines these names. */
export * from '../protocol/transport';
