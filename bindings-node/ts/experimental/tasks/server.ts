/** The official path of `common/tasks/server`, which defines these names. */
export * from '../../common/tasks/server';
