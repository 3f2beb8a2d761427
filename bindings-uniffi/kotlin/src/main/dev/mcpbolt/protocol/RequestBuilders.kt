@file:Suppress("TooManyFunctions")

package dev.mcpbolt

import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonArrayBuilder
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonObjectBuilder
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.buildJsonArray
import kotlinx.serialization.json.buildJsonObject

// Requests that are put together member by member: what all builders have, and those that have more
// than the members of their params. The others are generated. Must not know: who sends a request.

/** Marks builders, so that the members of one are not taken for those of another. */
@DslMarker
@Target(AnnotationTarget.CLASS)
public annotation class McpDsl

/** Puts a request together. */
@McpDsl
public abstract class RequestBuilder internal constructor() {
    private val members = LinkedHashMap<String, Any?>()

    /** Sets the metadata of the request. */
    public fun meta(block: RequestMetaBuilder.() -> Unit): Unit = keep("_meta", RequestMetaBuilder().apply(block).json)

    /** The request. */
    public abstract fun build(): Request<*>

    @Suppress("UNCHECKED_CAST")
    internal fun <T> kept(name: String): T? = members[name] as T?

    internal fun keep(name: String, value: Any?) {
        members[name] = value
    }

    internal fun all(vararg required: String): JsonObject {
        for (name in required) requireNotNull(members[name]) { "$name is missing: set it in the block" }
        return objectOf(*members.entries.map { it.key to it.value }.toTypedArray())
    }

    internal fun some(): JsonObject? = all().takeIf { it.isNotEmpty() }
}

/** Puts a request for one page of a list together. */
@McpDsl
public abstract class PaginatedRequestBuilder internal constructor() : RequestBuilder() {
    /** Where the page begins: `nextCursor` of the page before. `null`: the first page. */
    public var cursor: String?
        get() = kept("cursor")
        set(value) = keep("cursor", value)
}

/** Puts the `_meta` of a request together. */
@McpDsl
public class RequestMetaBuilder internal constructor() {
    private val members = LinkedHashMap<String, JsonElement>()
    internal val json: JsonObject get() = JsonObject(members.toMap())

    /** Asks for reports of progress under this token. [RequestOptions.onProgress] chooses one itself. */
    public fun progressToken(value: String) {
        put("progressToken", value)
    }

    /** Asks for reports of progress under this token. */
    public fun progressToken(value: Long) {
        put("progressToken", value)
    }

    /** Asks for reports of progress under this token. */
    public fun progressToken(value: Int): Unit = progressToken(value.toLong())

    /** Sets a member; returns what it was. */
    public fun put(key: String, value: JsonElement): JsonElement? = members.put(key, value)

    /** Sets a member; returns what it was. */
    public fun put(key: String, value: String?): JsonElement? = put(key, JsonPrimitive(value))

    /** Sets a member; returns what it was. */
    public fun put(key: String, value: Number?): JsonElement? = put(key, JsonPrimitive(value))

    /** Sets a member; returns what it was. */
    public fun put(key: String, value: Boolean?): JsonElement? = put(key, JsonPrimitive(value))

    /** Sets a member to `null`; returns what it was. */
    @Suppress("UNUSED_PARAMETER")
    public fun put(key: String, value: Nothing?): JsonElement? = put(key, JsonNull as JsonElement)

    /** Sets a member to an object; returns what it was. */
    public fun putJsonObject(key: String, block: JsonObjectBuilder.() -> Unit): JsonElement? = put(key, buildJsonObject(block))

    /** Sets a member to a list; returns what it was. */
    public fun putJsonArray(key: String, block: JsonArrayBuilder.() -> Unit): JsonElement? = put(key, buildJsonArray(block) as JsonArray)
}

/** Puts a [CompleteRequest] together. */
@McpDsl
public class CompleteRequestBuilder : RequestBuilder() {
    /** The argument that is typed, and what was typed so far. */
    public fun argument(name: String, value: String): Unit = keep("argument", CompletionArgument(name, value))

    /** The prompt or resource template that has the argument. */
    public fun ref(value: Reference): Unit = keep("ref", value)

    /** The arguments that have their values already. Since 2025-06-18. */
    public fun context(arguments: Map<String, String>): Unit = keep("context", CompletionContext(arguments))

    /** The arguments that have their values already. Since 2025-06-18. */
    public fun context(block: MutableMap<String, String>.() -> Unit): Unit = context(buildMap(block))

    /** @throws IllegalArgumentException if something is missing. */
    override fun build(): CompleteRequest = CompleteRequest(CompleteRequestParams.of(all("argument", "ref")))
}

/** Makes a [CompleteRequest]. */
public inline fun buildCompleteRequest(block: CompleteRequestBuilder.() -> Unit): CompleteRequest =
    CompleteRequestBuilder().apply(block).build()

/** Puts an [ElicitRequest] with a form together. */
@McpDsl
public class ElicitRequestBuilder : RequestBuilder() {
    /** The question, as shown to the user. */
    public var message: String?
        get() = kept("message")
        set(value) = keep("message", value)

    /** The fields of the form. */
    public fun requestedSchema(value: FormSchema): Unit = keep("requestedSchema", value)

    /** The fields of the form. */
    public fun requestedSchema(block: ElicitRequestedSchemaBuilder.() -> Unit): Unit =
        requestedSchema(ElicitRequestedSchemaBuilder().apply(block).build())

    /** @throws IllegalArgumentException if something is missing. */
    override fun build(): ElicitRequest = ElicitRequest(ElicitRequestFormParams.of(all("message", "requestedSchema")))
}

/** Puts the schema of a form together. */
@McpDsl
public class ElicitRequestedSchemaBuilder {
    private var fields: JsonObject? = null

    /** The fields that must be filled in. */
    public var required: List<String>? = null

    /** The fields, each as a schema. */
    public fun properties(value: JsonObject) {
        fields = value
    }

    /** The fields, each as a schema. */
    public fun properties(block: JsonObjectBuilder.() -> Unit): Unit = properties(buildJsonObject(block))

    /** @throws IllegalArgumentException if there are no properties. */
    public fun build(): FormSchema {
        val known = requireNotNull(fields) { "properties is missing: set it in the block" }
        return FormSchema.of(objectOf("type" to "object", "properties" to known, "required" to required))
    }
}

/** Makes an [ElicitRequest] with a form. */
public inline fun buildElicitRequest(block: ElicitRequestBuilder.() -> Unit): ElicitRequest = ElicitRequestBuilder().apply(block).build()

/** Puts an [InitializeRequest] together. Clients send theirs by themselves. */
@McpDsl
public class InitializeRequestBuilder : RequestBuilder() {
    /** The revision that the client wants. */
    public var protocolVersion: String?
        get() = kept("protocolVersion")
        set(value) = keep("protocolVersion", value)

    /** What the client can do. */
    public fun capabilities(value: ClientCapabilities): Unit = keep("capabilities", value)

    /** What the client can do. */
    public fun capabilities(block: ClientCapabilitiesBuilder.() -> Unit): Unit = capabilities(ClientCapabilitiesBuilder().apply(block).build())

    /** Which client it is. */
    public fun info(value: Implementation): Unit = keep("clientInfo", value)

    /** Which client it is. */
    public fun info(name: String, version: String, title: String? = null, websiteUrl: String? = null, icons: List<Icon>? = null): Unit =
        info(Implementation(name = name, version = version, title = title, websiteUrl = websiteUrl, icons = icons))

    /** @throws IllegalArgumentException if something is missing. */
    override fun build(): InitializeRequest = InitializeRequest(InitializeRequestParams.of(all("protocolVersion", "capabilities", "clientInfo")))
}

/** Puts [ClientCapabilities] together. */
@McpDsl
public class ClientCapabilitiesBuilder {
    private var known = ClientCapabilities()

    /** It can ask a model. */
    public fun sampling(value: SamplingCapability = SamplingCapability()) {
        known = known.copy(sampling = value)
    }

    /** It has roots. */
    public fun roots(listChanged: Boolean? = null) {
        known = known.copy(roots = RootsCapability(listChanged))
    }

    /** It can ask its user. */
    public fun elicitation(value: ElicitationCapability = ElicitationCapability()) {
        known = known.copy(elicitation = value)
    }

    /** Extensions by identifier, with their settings. */
    public fun extensions(value: Map<String, JsonObject>) {
        known = known.copy(extensions = JsonObject(value))
    }

    /** Unofficial features by name. */
    public fun experimental(value: JsonObject) {
        known = known.copy(experimental = value)
    }

    /** Unofficial features by name. */
    public fun experimental(block: JsonObjectBuilder.() -> Unit): Unit = experimental(buildJsonObject(block))

    /** The capabilities. */
    public fun build(): ClientCapabilities = known
}

/** Makes an [InitializeRequest]. */
public inline fun buildInitializeRequest(block: InitializeRequestBuilder.() -> Unit): InitializeRequest =
    InitializeRequestBuilder().apply(block).build()
