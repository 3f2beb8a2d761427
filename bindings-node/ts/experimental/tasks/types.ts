/** The official path of `v1/tasks/types`, which defines these names. */
export * from '../../v1/tasks/types';
