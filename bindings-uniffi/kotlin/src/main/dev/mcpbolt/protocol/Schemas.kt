@file:OptIn(ExperimentalSerializationApi::class)

package dev.mcpbolt

import kotlinx.serialization.ExperimentalSerializationApi
import kotlinx.serialization.SerialInfo
import kotlinx.serialization.descriptors.PolymorphicKind
import kotlinx.serialization.descriptors.PrimitiveKind
import kotlinx.serialization.descriptors.SerialDescriptor
import kotlinx.serialization.descriptors.SerialKind
import kotlinx.serialization.descriptors.StructureKind
import kotlinx.serialization.descriptors.elementNames
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.serializer

// JSON Schema of a program's own `@Serializable` classes. Owns: which schema a class has. Must not
// know: tools, and how values are read.

/** What a class or one of its properties means, for its schema: a model reads it. */
@SerialInfo
@Target(AnnotationTarget.CLASS, AnnotationTarget.PROPERTY)
@Retention(AnnotationRetention.BINARY)
public annotation class Description(val text: String)

/**
 * The schema of a `@Serializable` class: its properties, with those required that have no default and
 * are not nullable, and the words of [Description].
 *
 * @throws McpUsageException if it is no class or map, or has a property without a schema: an open class,
 * an interface or a contextual type. The message names it.
 */
public inline fun <reified T> toolSchema(): ToolSchema = toolSchema(serializer<T>().descriptor)

/** The schema of what a serializer reads and writes; see the other `toolSchema`. */
public fun toolSchema(descriptor: SerialDescriptor): ToolSchema {
    if (descriptor.kind !in OBJECTS) throw failure("usage", "${descriptor.name}: a tool's schema is one of an object; take a class or a map")
    return ToolSchema.of(schemaOf(descriptor))
}

/** The schema of any value, not only of an object. */
internal fun schemaOf(descriptor: SerialDescriptor): JsonObject = SchemaOf(descriptor).whole

private val OBJECTS = setOf(StructureKind.CLASS, StructureKind.OBJECT, StructureKind.MAP)

private val SerialDescriptor.name: String get() = serialName.removeSuffix("?")

/** Types of JSON itself: what their descriptors say is how they are read, not what they may be. */
private val ANY = setOf("JsonElement", "JsonPrimitive", "JsonNull").map { "kotlinx.serialization.json.$it" }

private fun type(name: String): JsonObject = objectOf("type" to name)

/** The schema of one descriptor, and those of the classes in it that mean themselves. */
private class SchemaOf(private val root: SerialDescriptor) {
    private val open = mutableListOf<String>()
    private val repeated = mutableSetOf<String>()
    private val defined = LinkedHashMap<String, JsonObject>()

    /** With `$defs`, if a class has parts of its own type. */
    val whole: JsonObject = root().let { if (defined.isEmpty()) it else JsonObject(it + ("\$defs" to JsonObject(defined))) }

    private fun root(): JsonObject {
        val schema = of(root, root.name)
        val name = root.name
        return if (schema["\$ref"] == null) schema else JsonObject(defined.getValue(name) + schema.filterKeys { it != "\$ref" })
    }

    private fun of(descriptor: SerialDescriptor, place: String): JsonObject {
        val schema = when {
            descriptor.name in ANY -> EmptyJsonObject
            descriptor.isInline -> of(descriptor.getElementDescriptor(0), place)
            else -> kind(descriptor, place)
        }
        return if (descriptor.isNullable) orNull(schema) else schema
    }

    private fun kind(descriptor: SerialDescriptor, place: String): JsonObject = when (descriptor.kind) {
        PrimitiveKind.STRING, PrimitiveKind.CHAR -> type("string")
        PrimitiveKind.BOOLEAN -> type("boolean")
        PrimitiveKind.FLOAT, PrimitiveKind.DOUBLE -> type("number")
        is PrimitiveKind -> type("integer")
        SerialKind.ENUM -> objectOf("type" to "string", "enum" to descriptor.elementNames.toList())
        StructureKind.LIST -> objectOf("type" to "array", "items" to of(descriptor.getElementDescriptor(0), place))
        StructureKind.MAP -> objectOf("type" to "object", "additionalProperties" to values(descriptor, place))
        StructureKind.CLASS, StructureKind.OBJECT -> named(descriptor) { members(descriptor, EmptyJsonObject) }
        PolymorphicKind.SEALED -> sealed(descriptor)
        else -> throw failure("usage", "$place: a ${descriptor.name} has no schema; take a class, a sealed class, or JsonElement")
    }

    private fun values(descriptor: SerialDescriptor, place: String): JsonElement =
        of(descriptor.getElementDescriptor(1), place).ifEmpty { null }?.let(::JsonObject) ?: JsonPrimitive(true)

    /** A class that stands within itself is defined once, and referred to. */
    private fun named(descriptor: SerialDescriptor, schema: () -> JsonObject): JsonObject {
        val name = descriptor.name
        if (name in open) {
            repeated += name
            return reference(name)
        }
        open += name
        val made = schema()
        open -= name
        if (name !in repeated) return made
        defined[name] = made
        return reference(name)
    }

    private fun reference(name: String) = objectOf("\$ref" to "#/\$defs/${name.replace("~", "~0").replace("/", "~1")}")

    private fun members(descriptor: SerialDescriptor, first: JsonObject): JsonObject {
        val own = (0 until descriptor.elementsCount).associate { descriptor.getElementName(it) to member(descriptor, it) }
        val required = (0 until descriptor.elementsCount)
            .filter { !descriptor.isElementOptional(it) && !descriptor.getElementDescriptor(it).isNullable }
            .map(descriptor::getElementName)
        return objectOf(
            "type" to "object",
            "description" to said(descriptor.annotations),
            "properties" to JsonObject(first + own),
            "required" to (first.keys + required).toList().ifEmpty { null },
        )
    }

    private fun member(descriptor: SerialDescriptor, at: Int): JsonObject {
        val schema = of(descriptor.getElementDescriptor(at), "${descriptor.name}.${descriptor.getElementName(at)}")
        val said = said(descriptor.getElementAnnotations(at)) ?: return schema
        return JsonObject(schema + ("description" to JsonPrimitive(said)))
    }

    /** One of its classes, which `type` tells apart, as kotlinx.serialization writes them. */
    private fun sealed(descriptor: SerialDescriptor): JsonObject = named(descriptor) {
        val classes = descriptor.getElementDescriptor(1)
        val each = (0 until classes.elementsCount).map { at ->
            val type = objectOf("type" to objectOf("const" to classes.getElementName(at)))
            members(classes.getElementDescriptor(at), type)
        }
        objectOf("anyOf" to each, "description" to said(descriptor.annotations))
    }

    private fun said(annotations: List<Annotation>): String? = annotations.filterIsInstance<Description>().firstOrNull()?.text

    private fun orNull(schema: JsonObject): JsonObject {
        val type = schema["type"] as? JsonPrimitive
        val words = schema["enum"] as? JsonArray
        return when {
            schema.isEmpty() -> schema
            type == null -> objectOf("anyOf" to listOf(schema, type("null")))
            else -> JsonObject(schema + objectOf("type" to listOf(type.content, "null"), "enum" to words?.plus(JsonNull)))
        }
    }
}
