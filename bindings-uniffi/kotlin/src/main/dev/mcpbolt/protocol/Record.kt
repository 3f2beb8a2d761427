package dev.mcpbolt

import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.booleanOrNull
import kotlinx.serialization.json.doubleOrNull
import kotlinx.serialization.json.longOrNull
import kotlin.time.Duration
import kotlin.time.DurationUnit

// Records: the base of the generated types and messages. A record is its JSON object, so that
// members of extensions and of later revisions are kept. Owns: reading and writing JSON. Must not
// know: any single type.

/** A JSON object without members. */
public val EmptyJsonObject: JsonObject = JsonObject(emptyMap())

/** A string enum of the protocol. Values of later revisions are kept. */
public interface Word {
    /** The value as it is sent. */
    public val value: String
}

/** Something that is a JSON object. */
public interface HasJson {
    /** All members, known or not. */
    public val json: JsonObject
}

/** An object of the protocol. Two records are equal if their JSON is. */
public abstract class Record internal constructor(members: Members) : HasJson {
    final override val json: JsonObject = members.json

    final override fun equals(other: Any?): Boolean =
        other is Record && other.javaClass == javaClass && other.json == json

    final override fun hashCode(): Int = json.hashCode()

    final override fun toString(): String = "${javaClass.simpleName}$json"

    /** The members of this record, with those of [fresh] in place of the [named] ones. */
    internal fun changed(fresh: Record, vararg named: String): Members = Members(JsonObject(json - named.toSet() + fresh.json))
}

/** An object without a known type. */
public class CustomRecord internal constructor(members: Members) : Record(members) {
    public constructor(json: JsonObject) : this(Members(json))
}

/** A request; [R] is the type of its result. */
public abstract class Request<out R : Record>(public val method: Method) {
    /** The parameters, if the request has any. */
    public abstract val params: HasJson?

    internal abstract fun read(json: JsonObject): R
}

/** A request of a method that this package has no type for. */
public class CustomRequest(method: Method, params: JsonObject? = null) : Request<CustomRecord>(method) {
    public constructor(method: String, params: JsonObject? = null) : this(Method.of(method), params)

    override val params: CustomRecord? = params?.let(::CustomRecord)

    override fun read(json: JsonObject): CustomRecord = CustomRecord(json)
}

/** A notification. */
public abstract class Notification(public val method: Method) {
    /** The parameters, if the notification has any. */
    public abstract val params: HasJson?

    final override fun toString(): String = "$method ${params?.json ?: ""}"
}

/** A notification of a method that this package has no type for. */
public class CustomNotification(method: Method, params: JsonObject? = null) : Notification(method) {
    public constructor(method: String, params: JsonObject? = null) : this(Method.of(method), params)

    override val params: CustomRecord? = params?.let(::CustomRecord)
}

/** The members of a record that is being built; those that are `null` are left out. */
internal class Members(val json: JsonObject) {
    constructor(vararg members: Pair<String, Any?>) : this(objectOf(*members))
}

/** A time as the engine reads it: seconds, and `null` for no limit. */
internal fun Duration.forEngine(): JsonElement = if (isFinite()) JsonPrimitive(toDouble(DurationUnit.SECONDS)) else JsonNull

internal fun objectOf(vararg members: Pair<String, Any?>): JsonObject =
    JsonObject(members.filter { it.second != null }.associate { (name, value) -> name to toJson(value) })

/**
 * Converts a Kotlin value to JSON: records, strings, numbers, maps, collections, arrays.
 *
 * @throws IllegalArgumentException for any other value.
 */
public fun toJson(value: Any?): JsonElement = when (value) {
    null -> JsonNull
    is JsonElement -> value
    is HasJson -> value.json
    is Word -> JsonPrimitive(value.value)
    is String -> JsonPrimitive(value)
    is Boolean -> JsonPrimitive(value)
    is Number -> JsonPrimitive(value)
    is Char -> JsonPrimitive(value.toString())
    is Method -> JsonPrimitive(value.value)
    is Enum<*> -> JsonPrimitive(value.name)
    is Map<*, *> -> JsonObject(value.entries.associate { (name, part) -> name.toString() to toJson(part) })
    is Iterable<*> -> JsonArray(value.map(::toJson))
    is Array<*> -> JsonArray(value.map(::toJson))
    is ByteArray -> JsonArray(value.map(::JsonPrimitive))
    is IntArray -> JsonArray(value.map(::JsonPrimitive))
    is LongArray -> JsonArray(value.map(::JsonPrimitive))
    is FloatArray -> JsonArray(value.map(::JsonPrimitive))
    is DoubleArray -> JsonArray(value.map(::JsonPrimitive))
    is BooleanArray -> JsonArray(value.map(::JsonPrimitive))
    else -> throw IllegalArgumentException("a ${value.javaClass.name} is no JSON value")
}

/** A single content block is written as an object, several as an array. */
internal fun oneOrMany(blocks: List<Any>): Any = blocks.singleOrNull() ?: blocks

internal fun parse(text: String): JsonElement = Json.parseToJsonElement(text)

internal fun JsonObject.find(name: String): JsonElement? = this[name].takeUnless { it is JsonNull }

internal fun JsonObject.need(name: String): JsonElement =
    this[name] ?: throw ShapeException("$name is missing")

internal fun JsonObject.tag(name: String): String? = (this[name] as? JsonPrimitive)?.content

private fun wrong(what: String): Nothing = throw ShapeException("a member is no $what")

internal fun JsonElement.primitive(): JsonPrimitive = this as? JsonPrimitive ?: wrong("text or number")

internal fun JsonElement.text(): String = primitive().takeIf { it.isString }?.content ?: wrong("text")

internal fun JsonElement.long(): Long = primitive().let { it.longOrNull ?: it.doubleOrNull?.toLong() } ?: wrong("number")

internal fun JsonElement.int(): Int = long().coerceIn(Int.MIN_VALUE.toLong(), Int.MAX_VALUE.toLong()).toInt()

internal fun JsonElement.double(): Double = primitive().doubleOrNull ?: wrong("number")

internal fun JsonElement.flag(): Boolean = primitive().booleanOrNull ?: wrong("truth value")

internal fun JsonElement.obj(): JsonObject = this as? JsonObject ?: wrong("object")

internal fun JsonElement.array(): JsonArray = this as? JsonArray ?: wrong("list")

internal inline fun <T> JsonElement.list(read: (JsonElement) -> T): List<T> = array().map(read)

internal inline fun <T> JsonElement.oneOrMany(read: (JsonElement) -> T): List<T> =
    if (this is JsonArray) map(read) else listOf(read(this))

internal inline fun <T> JsonElement.table(read: (JsonElement) -> T): Map<String, T> = obj().mapValues { read(it.value) }

/** A class of a union that is only recognized by its members. */
internal class Candidate<out T>(
    val constants: Map<String, String>,
    val required: List<String>,
    val known: List<String>,
    val read: (JsonObject) -> T,
)

/** Chooses the class that fits best: all its required members are present, and most of its other members. */
internal fun <T> JsonObject.best(other: (JsonObject) -> T, vararg all: Candidate<T>): T {
    val fitting = all.filter { one -> keys.containsAll(one.required) && one.constants.all { tag(it.key) == it.value } }
    return (fitting.maxByOrNull { one -> one.constants.size + one.known.count { it in this } }?.read ?: other)(this)
}
