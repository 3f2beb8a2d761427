/** The path that the official package has for `engine/tasks/helpers`, which defines these names. */
export * from '../../engine/tasks/helpers';
