@file:Suppress("TooManyFunctions")

package dev.mcpbolt

import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonObjectBuilder
import kotlinx.serialization.json.buildJsonObject

// Sampling requests that are put together member by member, with the messages in them. Must not know:
// who sends them.

/** Puts a [CreateMessageRequest] together. */
@McpDsl
public class CreateMessageRequestBuilder : RequestBuilder() {
    /** The most tokens that the model may write. */
    public var maxTokens: Int?
        get() = kept("maxTokens")
        set(value) = keep("maxTokens", value)

    /** What the model is told before the conversation. */
    public var systemPrompt: String?
        get() = kept("systemPrompt")
        set(value) = keep("systemPrompt", value)

    /** Whose context the client is asked to add. */
    @Suppress("DEPRECATION")
    public var context: IncludeContext?
        get() = kept("includeContext")
        set(value) = keep("includeContext", value)

    /** How freely the model chooses its words. */
    public var temperature: Double?
        get() = kept("temperature")
        set(value) = keep("temperature", value)

    /** Texts that end the answer. */
    public var stopSequences: List<String>?
        get() = kept("stopSequences")
        set(value) = keep("stopSequences", value)

    /** The conversation so far, oldest message first. */
    public fun messages(value: List<SamplingMessage>): Unit = keep("messages", value)

    /** The conversation so far, oldest message first. */
    public fun messages(block: SamplingMessageBuilder.() -> Unit): Unit = messages(SamplingMessageBuilder().apply(block).build())

    /** Which model is wished for. */
    public fun preferences(value: ModelPreferences): Unit = keep("modelPreferences", value)

    /**
     * Which model is wished for.
     *
     * @param hints parts of names, the best first.
     * @param cost how much a low price matters, from 0 to 1.
     * @param speed how much a quick answer matters, from 0 to 1.
     * @param intelligence how much a capable model matters, from 0 to 1.
     */
    public fun preferences(hints: List<String>? = null, cost: Double? = null, speed: Double? = null, intelligence: Double? = null): Unit =
        preferences(ModelPreferences(hints?.map { ModelHint(it) }, cost, speed, intelligence))

    /** Members for the provider of the model. */
    public fun metadata(value: JsonObject): Unit = keep("metadata", value)

    /** Members for the provider of the model. */
    public fun metadata(block: JsonObjectBuilder.() -> Unit): Unit = metadata(buildJsonObject(block))

    /** The tools that the model may use. Since 2025-11-25. */
    public fun tools(value: List<Tool>): Unit = keep("tools", value)

    /** Whether the model has to use them. Since 2025-11-25. */
    public fun toolChoice(value: ToolChoice): Unit = keep("toolChoice", value)

    /** @throws IllegalArgumentException if something is missing. */
    override fun build(): CreateMessageRequest = CreateMessageRequest(CreateMessageRequestParams.of(all("maxTokens", "messages")))
}

/** Makes a [CreateMessageRequest]. */
public inline fun buildCreateMessageRequest(block: CreateMessageRequestBuilder.() -> Unit): CreateMessageRequest =
    CreateMessageRequestBuilder().apply(block).build()

/** Puts a conversation together. */
@McpDsl
public class SamplingMessageBuilder {
    private val messages = mutableListOf<SamplingMessage>()

    /** Adds what the user says. */
    public fun user(content: MediaContent) {
        messages += SamplingMessage(Role.User, content)
    }

    /** Adds what the model says. */
    public fun assistant(content: MediaContent) {
        messages += SamplingMessage(Role.Assistant, content)
    }

    /** The conversation. */
    public fun build(): List<SamplingMessage> = messages.toList()
}

/** Puts one piece of content together. */
@McpDsl
public abstract class MediaContentBuilder internal constructor() {
    internal var hints: Annotations? = null
    internal var metadata: JsonObject? = null

    /** Hints for whoever shows it. */
    public fun annotations(value: Annotations) {
        hints = value
    }

    /** Hints for whoever shows it. */
    public fun annotations(audience: List<Role>? = null, priority: Double? = null, lastModified: String? = null): Unit =
        annotations(Annotations(audience, priority, lastModified))

    /** Sets its metadata. */
    public fun meta(block: JsonObjectBuilder.() -> Unit) {
        metadata = buildJsonObject(block)
    }

    /** @throws IllegalArgumentException if something is missing. */
    public abstract fun build(): MediaContent

    internal fun <T : Any> need(name: String, value: T?): T = requireNotNull(value) { "$name is missing: set it in the block" }
}

/** Puts a [TextContent] together. */
@McpDsl
public class TextContentBuilder : MediaContentBuilder() {
    /** The text. */
    public var text: String? = null

    override fun build(): TextContent = TextContent(need("text", text), hints, metadata)
}

/** Puts an [ImageContent] together. */
@McpDsl
public class ImageContentBuilder : MediaContentBuilder() {
    /** The bytes in Base64. */
    public var data: String? = null

    /** The MIME type. */
    public var mimeType: String? = null

    override fun build(): ImageContent = ImageContent(need("data", data), need("mimeType", mimeType), hints, metadata)
}

/** Puts an [AudioContent] together. */
@McpDsl
public class AudioContentBuilder : MediaContentBuilder() {
    /** The bytes in Base64. */
    public var data: String? = null

    /** The MIME type. */
    public var mimeType: String? = null

    override fun build(): AudioContent = AudioContent(need("data", data), need("mimeType", mimeType), hints, metadata)
}

/** Adds a text of the user's. */
public fun SamplingMessageBuilder.user(text: () -> String): Unit = user(TextContent(text()))

/** Adds a text of the user's. */
public fun SamplingMessageBuilder.userText(block: TextContentBuilder.() -> Unit): Unit = user(TextContentBuilder().apply(block).build())

/** Adds an image of the user's. */
public fun SamplingMessageBuilder.userImage(block: ImageContentBuilder.() -> Unit): Unit = user(ImageContentBuilder().apply(block).build())

/** Adds sound of the user's. */
public fun SamplingMessageBuilder.userAudio(block: AudioContentBuilder.() -> Unit): Unit = user(AudioContentBuilder().apply(block).build())

/** Adds a text of the model's. */
public fun SamplingMessageBuilder.assistant(text: () -> String): Unit = assistant(TextContent(text()))

/** Adds a text of the model's. */
public fun SamplingMessageBuilder.assistantText(block: TextContentBuilder.() -> Unit): Unit = assistant(TextContentBuilder().apply(block).build())

/** Adds an image of the model's. */
public fun SamplingMessageBuilder.assistantImage(block: ImageContentBuilder.() -> Unit): Unit = assistant(ImageContentBuilder().apply(block).build())

/** Adds sound of the model's. */
public fun SamplingMessageBuilder.assistantAudio(block: AudioContentBuilder.() -> Unit): Unit = assistant(AudioContentBuilder().apply(block).build())
