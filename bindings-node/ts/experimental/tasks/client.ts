/** The official path of `common/tasks/client`, which defines these names. */
export * from '../../common/tasks/client';
