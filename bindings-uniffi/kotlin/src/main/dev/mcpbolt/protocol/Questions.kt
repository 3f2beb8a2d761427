package dev.mcpbolt

import kotlinx.serialization.json.JsonObject

// Questions that a call ends with. Must not know: how the call is run again.

/**
 * Thrown by a handler to be run again, from the top, with answers to these questions. The answers
 * are in [ClientConnection.inputResponses]; [state], which the engine seals, is in
 * [ClientConnection.requestState]. Nothing waits on the server meanwhile.
 *
 * @property requests the questions by keys of the handler's own: forms and URLs, sampling, roots.
 */
public class Questions(public val requests: Map<String, Request<*>>, public val state: String? = null) :
    RuntimeException("questions to the client", null, false, false) {
    internal val row: JsonObject
        get() = objectOf("questions" to requests.map { (key, asked) -> listOf(key, asked.method.value, asked.params) }, "state" to state)
}
