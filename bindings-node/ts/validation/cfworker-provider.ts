/** The path that the official package has for `common/validation/cfworker-provider`, which defines these names. */
export * from '../common/validation/cfworker-provider';
