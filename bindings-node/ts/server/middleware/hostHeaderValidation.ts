/** The path that the official package has for `v1/host-header-validation`, which defines these names. */
export * from '../../v1/host-header-validation';
