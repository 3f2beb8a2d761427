/** The official path of `common/validation/cfworker-provider`, which defines these names. */
export * from '../common/validation/cfworker-provider';
