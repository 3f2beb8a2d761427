/** The path that the official package has for `common/tasks/client`, which defines these names. */
export * from '../../common/tasks/client';
