/** The path that the official package has for `protocol/display-name`, which defines these names. */
export * from '../protocol/display-name';
