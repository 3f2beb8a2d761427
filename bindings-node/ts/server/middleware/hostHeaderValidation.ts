/** The official path of `v1/host-header-validation`, which defines these names. */
export * from '../../v1/host-header-validation';
