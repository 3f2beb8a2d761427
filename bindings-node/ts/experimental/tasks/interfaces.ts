/** The official path of `v1/tasks/interfaces`, which defines these names. */
export * from '../../v1/tasks/interfaces';
