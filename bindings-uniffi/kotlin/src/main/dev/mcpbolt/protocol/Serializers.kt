package dev.mcpbolt

import kotlinx.serialization.ExperimentalSerializationApi
import kotlinx.serialization.KSerializer
import kotlinx.serialization.descriptors.PrimitiveKind
import kotlinx.serialization.descriptors.PrimitiveSerialDescriptor
import kotlinx.serialization.descriptors.SerialDescriptor
import kotlinx.serialization.encoding.Decoder
import kotlinx.serialization.encoding.Encoder
import kotlinx.serialization.json.ClassDiscriminatorMode
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonObject

// Records and words in `kotlinx.serialization`, so that they may be parts of a program's own
// `@Serializable` classes. Must not know: any single type.

/**
 * JSON as the protocol has it: members that are not known are passed over, and those that are `null`
 * are left out. Records of this package keep what they do not know with any [Json].
 */
@OptIn(ExperimentalSerializationApi::class)
public val McpJson: Json = Json {
    ignoreUnknownKeys = true
    encodeDefaults = true
    isLenient = true
    explicitNulls = false
    classDiscriminatorMode = ClassDiscriminatorMode.NONE
}

/** Reads and writes a type of the protocol as the JSON object that it is; only from and to JSON. */
public abstract class RecordSerializer<T : HasJson> internal constructor(private val name: String) : KSerializer<T> {
    /** One that was read. Members that do not fit their type are only found when they are read. */
    public abstract fun of(json: JsonObject): T

    @OptIn(ExperimentalSerializationApi::class)
    final override val descriptor: SerialDescriptor get() = SerialDescriptor("dev.mcpbolt.$name", JsonObject.serializer().descriptor)

    final override fun serialize(encoder: Encoder, value: T): Unit = encoder.encodeSerializableValue(JsonObject.serializer(), value.json)

    final override fun deserialize(decoder: Decoder): T = of(decoder.decodeSerializableValue(JsonObject.serializer()))
}

/** Reads and writes a string enum of the protocol. */
public abstract class WordSerializer<T : Word> internal constructor(private val name: String) : KSerializer<T> {
    /** The word of this value, known or not. */
    public abstract fun of(value: String): T

    final override val descriptor: SerialDescriptor get() = PrimitiveSerialDescriptor("dev.mcpbolt.$name", PrimitiveKind.STRING)

    final override fun serialize(encoder: Encoder, value: T): Unit = encoder.encodeString(value.value)

    final override fun deserialize(decoder: Decoder): T = of(decoder.decodeString())
}
