/** The path that the official package has for `common/tasks/server`, which defines these names. */
export * from '../../common/tasks/server';
