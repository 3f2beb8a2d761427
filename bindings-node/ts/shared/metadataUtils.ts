/** The official path of `protocol/display-name`, which defines these names. */
export * from '../protocol/display-name';
