/** The path that the official package has for `protocol/media-type`, which defines these names. */
export * from '../protocol/media-type';
