/** An event store for examples and tests. Owns: the events, in the order they came. Must not know: what is in them. */
import type { EventStore } from '../common/server/web-standard-http';
import type { JSONRPCMessage } from '../protocol/types';

/** How many events are stored; beyond that the oldest are dropped. */
const MAX_EVENTS = 10_000;

/** Stores events in memory, the last 10,000 of one process. For examples and tests. */
export class InMemoryEventStore implements EventStore {
  private readonly events = new Map<string, { streamId: string; message: JSONRPCMessage }>();
  #last = 0;

  /**
   * Stores a message and returns its event id, which begins with the stream's id.
   * @param streamId - The id of the stream.
   * @param message - The message.
   */
  async storeEvent(streamId: string, message: JSONRPCMessage): Promise<string> {
    const eventId = `${streamId}_${Date.now()}_${(this.#last++).toString(36).padStart(8, '0')}`;
    this.events.set(eventId, { streamId, message });
    if (this.events.size > MAX_EVENTS) this.events.delete(this.events.keys().next().value as string);
    return eventId;
  }

  /**
   * The id of the stream that an event belongs to.
   * @param eventId - The id of the event.
   */
  async getStreamIdForEventId(eventId: string): Promise<string | undefined> {
    return this.events.get(eventId)?.streamId;
  }

  /**
   * Sends the events of a stream that came after one of its events. Returns the stream's id, or an
   * empty string if the event is unknown.
   * @param lastEventId - The id of the last event that the client got.
   */
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
