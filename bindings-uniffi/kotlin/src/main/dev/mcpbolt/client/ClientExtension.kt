package dev.mcpbolt

import kotlinx.serialization.json.JsonObject

// Extensions of a client. Owns: what one is made of, and the order of their hooks. Must not know: any
// extension, or how a request is sent.

/** Makes the whole result of one in a shape that an extension defines. The receiver is the client's session. */
public typealias ResultResolver = suspend ClientVerbs.(result: JsonObject, method: String) -> JsonObject

/**
 * An extension of a client, for [ClientOptions.extensions].
 *
 *     val colours = ClientExtension("com.example/colours") { method("com.example/mix") }
 *
 * @property id the identifier, with a prefix: `com.example/colours`.
 * @property settings what servers are told of it.
 * @param block adds its methods and hooks. What is added later is not part of connections that are open.
 */
public open class ClientExtension(public val id: String, public val settings: JsonObject = EmptyJsonObject, block: ClientExtension.() -> Unit = {}) {
    internal val rows = mutableListOf<JsonObject>()
    internal val requestHooks = mutableListOf<Pair<String, suspend (JsonObject) -> JsonObject>>()
    internal val resultHooks = mutableListOf<Pair<String, suspend (JsonObject) -> Unit>>()
    internal val resolvers = LinkedHashMap<String, ResultResolver>()

    init {
        block()
    }

    /**
     * Adds a method that the client sends. To a server that did not declare the extension it is not
     * sent: the request fails with -32601.
     *
     * @param namedBy the parameter that names what a request is about; none by default.
     * @param since the first revision that has the method; by default all have it.
     */
    public fun method(name: String, namedBy: NamedBy? = null, since: String? = null) {
        rows += extensionRow(id, name, namedBy, since)
    }

    /** Calls [change] with the params of each request of a method; what it returns is sent. If it throws, nothing is sent. */
    public fun onRequest(method: String, change: suspend (params: JsonObject) -> JsonObject) {
        requestHooks += method to change
    }

    /** Calls [look] with each result of a method, before the program gets it. If it throws, the request has failed. */
    public fun onResult(method: String, look: suspend (result: JsonObject) -> Unit) {
        resultHooks += method to look
    }

    /** Has [resolve] make the whole result of each whose `resultType` is this one. */
    public fun onResultType(resultType: String, resolve: ResultResolver) {
        resolvers[resultType] = resolve
    }
}

/** All extensions of a client. */
internal class ClientExtensions(private val all: List<ClientExtension>) {
    init {
        needOnce("client", all.map { it.id })
    }

    val settings: Map<String, JsonObject> = all.associate { it.id to it.settings }
    val rows: List<JsonObject> = all.flatMap { it.rows }
    val methods: Set<String> = rows.mapNotNull { it.tag("method") }.toSet()
    val resultTypes: List<String> = all.flatMap { it.resolvers.keys }
    private val changes = all.flatMap { it.requestHooks }.groupBy({ it.first }, { it.second })
    private val looks = all.flatMap { it.resultHooks }.groupBy({ it.first }, { it.second })

    /** Sends a request with all hooks around it. */
    suspend fun around(session: ClientVerbs, method: String, params: JsonObject?, send: suspend (JsonObject?) -> JsonObject): JsonObject {
        val changed = changes[method]?.fold(params ?: EmptyJsonObject) { given, change -> change(given) } ?: params
        val sent = send(changed)
        val resolve = all.firstNotNullOfOrNull { it.resolvers[sent.tag("resultType")] }
        val result = if (resolve == null) sent else JsonObject(objectOf("resultType" to "complete") + session.resolve(sent, method))
        for (look in looks[method].orEmpty()) look(result)
        return result
    }
}
