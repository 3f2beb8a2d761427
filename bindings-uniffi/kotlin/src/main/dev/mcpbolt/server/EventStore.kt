package dev.mcpbolt

import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive

// A program's store of events, for streams that clients resume. Owns: what the engine asks of it. Must
// not know: streams.

/**
 * Keeps the events of streams, so that a client that lost its connection gets the rest, even from another
 * process that has the same store. Without one the engine keeps the last events in memory.
 */
public interface EventStore {
    /**
     * Stores an event.
     *
     * @param message the message; an empty object marks the beginning of a stream.
     * @return the event's id, of 1 to 256 visible ASCII characters, which no other event has.
     */
    public suspend fun storeEvent(streamId: String, message: JSONRPCMessage): String

    /**
     * Calls [sender] with all events of a stream that came after one, in order.
     *
     * @return the id of the stream; an empty one if the event is unknown.
     */
    public suspend fun replayEventsAfter(lastEventId: String, sender: suspend (eventId: String, message: JSONRPCMessage) -> Unit): String

    /** The stream that an event belongs to; `null` if it is unknown, and then nothing is replayed. */
    public suspend fun getStreamIdForEventId(eventId: String): String?
}

/** A store, as the engine asks it. */
internal class Events(val store: EventStore) {
    suspend fun serve(service: String, asked: JsonObject): JsonElement = when (service) {
        STORE -> JsonPrimitive(store.storeEvent(asked.need("stream").text(), JSONRPCMessage(asked.find("message") ?: EmptyJsonObject)))
        else -> replayed(asked.need("after").text())
    }

    private suspend fun replayed(after: String): JsonElement {
        if (store.getStreamIdForEventId(after) == null) return JsonNull
        val rows = ArrayList<JsonElement>()
        val stream = store.replayEventsAfter(after) { id, message ->
            rows += objectOf("id" to id, "message" to message.json).let { row -> if (message.json == EmptyJsonObject) JsonObject(row + ("message" to JsonNull)) else row }
        }
        return if (stream.isEmpty()) JsonNull else JsonArray(rows)
    }

    companion object {
        private const val STORE = "events.store"

        /** What the engine asks a store. */
        val SERVICES = setOf(STORE, "events.replay")
    }
}
