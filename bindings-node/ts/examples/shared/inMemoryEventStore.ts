/** The official path of `v1/in-memory-event-store`, which defines these names. */
export * from '../../v1/in-memory-event-store';
