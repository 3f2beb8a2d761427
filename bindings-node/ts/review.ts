/** The path that the official package has for `common/review`, which defines these names. */
export * from './common/review';
