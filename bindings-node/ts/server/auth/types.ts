/** The path that the official package has for `protocol/auth-info`, which defines these names. */
export * from '../../protocol/auth-info';
