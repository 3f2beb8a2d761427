/** The path that the official package has for `v1/tasks/types`, which defines these names. */
export * from '../../v1/tasks/types';
