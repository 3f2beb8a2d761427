/** The official path of `v1/tasks/client`, which defines these names. */
export * from '../../v1/tasks/client';
