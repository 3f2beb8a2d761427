/** The official path of `v1/tasks/in-memory-store`, which defines these names. */
export * from '../../../v1/tasks/in-memory-store';
