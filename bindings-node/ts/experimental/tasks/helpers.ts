/** The official path of `engine/tasks/helpers`, which defines these names. */
export * from '../../engine/tasks/helpers';
