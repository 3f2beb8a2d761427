/** The official path of `v1/tasks/server`, which defines these names. */
export * from '../../v1/tasks/server';
