/** The path that the official package has for `protocol/transport`, which defines these names. */
export * from '../protocol/transport';
