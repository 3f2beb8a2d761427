@file:Suppress("LongParameterList")

package dev.mcpbolt

import kotlinx.serialization.ExperimentalSerializationApi
import kotlinx.serialization.KSerializer
import kotlinx.serialization.MissingFieldException
import kotlinx.serialization.SerializationException
import kotlinx.serialization.descriptors.StructureKind
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.serializer

// Tools whose arguments and results are `@Serializable` types of the program. Owns: how both become
// JSON. Must not know: how a call reaches its handler, or what a schema is made of.

/** Members that the class does not have are passed over; those that are `null` may be left out. */
@OptIn(ExperimentalSerializationApi::class)
@PublishedApi
internal val ToolJson: Json = Json {
    ignoreUnknownKeys = true
    encodeDefaults = true
    explicitNulls = false
}

/** Stands for a result that is no object, as the other languages of this package have it. */
private const val RESULT = "result"

/**
 * Adds a tool that takes a `@Serializable` class: its schema is the class's ([toolSchema]), and the
 * engine checks arguments before the handler sees them.
 *
 *     @Serializable
 *     class Place(@Description("A city") val city: String, val days: Int = 1)
 *
 *     server.addTool<Place>("forecast", "The weather of a city") { place ->
 *         CallToolResult.success("Sun in ${place.city} for ${place.days} days")
 *     }
 *
 * @param A the class of the arguments.
 * @param title what people read in place of [name]. Default: none.
 * @param toolAnnotations hints for hosts. Default: none.
 * @param task whether calls become tasks; as of [Server.addTool].
 * @param scopes the scopes that a token needs; as of [Server.addTool].
 * @throws McpUsageException if the class has no schema; the message names the property.
 */
public inline fun <reified A> Server.addTool(
    name: String,
    description: String,
    title: String? = null,
    toolAnnotations: ToolAnnotations? = null,
    task: TaskSupport = TaskSupport.Forbidden,
    scopes: List<String> = emptyList(),
    noinline handler: suspend ClientConnection.(A) -> CallToolResult,
): Unit = addTool(name, description, toolSchema<A>(), title, toolAnnotations = toolAnnotations, task = task, scopes = scopes) {
    handler(argumentsOf(serializer<A>(), it))
}

/**
 * Adds a tool that takes a `@Serializable` class and returns a value of a serializable type. The value
 * is the result's structured content, and its text; what is no object is its member `result`. The
 * schemas of both are the types'.
 *
 * @param A the class of the arguments.
 * @param R the type of the result.
 * @param title what people read in place of [name]. Default: none.
 * @param toolAnnotations hints for hosts. Default: none.
 * @param task whether calls become tasks; as of [Server.addTool].
 * @param scopes the scopes that a token needs; as of [Server.addTool].
 * @throws McpUsageException if one of the types has no schema; the message names the property.
 */
public inline fun <reified A, reified R> Server.addStructuredTool(
    name: String,
    description: String,
    title: String? = null,
    toolAnnotations: ToolAnnotations? = null,
    task: TaskSupport = TaskSupport.Forbidden,
    scopes: List<String> = emptyList(),
    noinline handler: suspend ClientConnection.(A) -> R,
) {
    val made = serializer<R>()
    addTool(name, description, toolSchema<A>(), title, resultSchema(made), toolAnnotations, task = task, scopes = scopes) {
        resultOf(made, handler(argumentsOf(serializer<A>(), it)))
    }
}

/**
 * Reads the structured content of a tool's result.
 *
 * @param T a `@Serializable` class, or for what is no object the type of the member `result`.
 * @throws McpProtocolException if there is none, or if it does not fit the type.
 */
public inline fun <reified T> CallToolResult.structured(): T = structured(serializer<T>())

@PublishedApi
internal fun <T> CallToolResult.structured(type: KSerializer<T>): T {
    val content = structuredContent ?: throw ShapeException("the result has no structured content")
    val value = if (type.isObject) content else (content as? JsonObject)?.get(RESULT) ?: throw ShapeException("structuredContent has no $RESULT")
    return read(type, value) { ShapeException("structuredContent does not fit ${type.descriptor.serialName}: $it") }
}

@PublishedApi
internal fun <T> argumentsOf(type: KSerializer<T>, request: CallToolRequest): T =
    read(type, request.arguments ?: EmptyJsonObject) { failure("invalid_params", "the arguments of ${request.name} do not fit: $it", INVALID_PARAMS) }

@PublishedApi
internal fun resultSchema(type: KSerializer<*>): ToolSchema =
    if (type.isObject) toolSchema(type.descriptor) else wrapped(schemaOf(type.descriptor))

private fun wrapped(schema: JsonObject): ToolSchema {
    val definitions = schema["\$defs"]
    val own = JsonObject(schema - "\$defs")
    return ToolSchema.of(objectOf("type" to "object", "properties" to objectOf(RESULT to own), "required" to listOf(RESULT), "\$defs" to definitions))
}

@PublishedApi
internal fun <T> resultOf(type: KSerializer<T>, value: T): CallToolResult {
    val json = ToolJson.encodeToJsonElement(type, value)
    val content = if (type.isObject) json as JsonObject else objectOf(RESULT to json)
    return CallToolResult(listOf(TextContent(json.toString())), structuredContent = content)
}

private val KSerializer<*>.isObject: Boolean
    get() = !descriptor.isNullable && descriptor.kind.let { it == StructureKind.CLASS || it == StructureKind.OBJECT || it == StructureKind.MAP }

private val PATH = Regex("at path:? (\\$[^\\s,]+)")

/** Words without the value, which may be secret; a serializer's own repeat it. */
@OptIn(ExperimentalSerializationApi::class)
private fun said(why: IllegalArgumentException): String = when (why) {
    is MissingFieldException -> "missing ${why.missingFields.joinToString()}"
    is SerializationException -> (why.cause as? IllegalArgumentException)?.let(::said)
        ?: PATH.find(why.message.orEmpty())?.let { "${it.groupValues[1]} has another type" }
        ?: "a member has another type"
    // By the class itself, as `require` has it.
    else -> why.message ?: "the class refuses it"
}

private fun <T> read(type: KSerializer<T>, value: JsonElement, fault: (String) -> McpException): T =
    try {
        ToolJson.decodeFromJsonElement(type, value)
    } catch (refused: IllegalArgumentException) {
        throw fault(said(refused))
    }
