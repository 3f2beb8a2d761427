/** The path that the official package has for `v1/in-memory-event-store`, which defines these names. */
export * from '../../v1/in-memory-event-store';
