/**
 * An event store for examples and tests. Owns: the events, in the order they came. Must not
 * know: what is in them.
 */
import type { EventStore } from '../../server/webStandardStreamableHttp';
import type { JSONRPCMessage } from '../../types';

/** Most events that are kept; the oldest ones go first. */
const MAX_EVENTS = 10_000;

/** Keeps events in memory: not for more than one process, and not for ever. */
export class InMemoryEventStore implements EventStore {
  private readonly events = new Map<string, { streamId: string; message: JSONRPCMessage }>();
  #last = 0;

  /** Keeps a message; its name begins with that of its stream. */
  async storeEvent(streamId: string, message: JSONRPCMessage): Promise<string> {
    const eventId = `${streamId}_${Date.now()}_${(this.#last++).toString(36).padStart(8, '0')}`;
    this.events.set(eventId, { streamId, message });
    if (this.events.size > MAX_EVENTS) this.events.delete(this.events.keys().next().value as string);
    return eventId;
  }

  /** The stream of an event. */
  async getStreamIdForEventId(eventId: string): Promise<string | undefined> {
    return this.events.get(eventId)?.streamId;
  }

  /** Hands over what came after an event of its stream; empty if the event is unknown. */
  async replayEventsAfter(
    lastEventId: string,
    { send }: { send: (eventId: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const streamId = this.events.get(lastEventId)?.streamId;
    if (streamId === undefined) return '';
    let isAfter = false;
    for (const [eventId, event] of [...this.events]) {
      if (isAfter && event.streamId === streamId) await send(eventId, event.message);
      isAfter ||= eventId === lastEventId;
    }
    return streamId;
  }
}
