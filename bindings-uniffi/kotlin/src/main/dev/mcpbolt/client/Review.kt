package dev.mcpbolt

import dev.mcpbolt.engine.EngineSchema
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject

// Approval by a person before something is sent: tool calls, sampling requests, answers to forms.
// Must not know: connections.

/** Decides about tool calls. */
public fun interface ToolReview {
    /** The decision about a tool call. */
    public sealed interface Verdict {
        public object Allow : Verdict

        public class Edit(public val arguments: JsonObject) : Verdict

        public class Deny(public val reason: String) : Verdict
    }

    /** @param trusted whether [annotations] may be relied on. */
    public suspend fun review(tool: String, arguments: JsonObject, annotations: ToolAnnotations?, trusted: Boolean): Verdict

    /** Allows every call. */
    public object AllowAll : ToolReview {
        override suspend fun review(tool: String, arguments: JsonObject, annotations: ToolAnnotations?, trusted: Boolean): Verdict = Verdict.Allow
    }

    public companion object {
        /** Asks about every call. */
        public fun askAlways(ask: suspend (tool: String, arguments: JsonObject) -> Verdict): ToolReview =
            ToolReview { tool, arguments, _, _ -> ask(tool, arguments) }

        /** Asks about every call, except of tools that a trusted server declares read-only. */
        public fun askUnlessReadOnly(ask: suspend (tool: String, arguments: JsonObject) -> Verdict): ToolReview =
            ToolReview { tool, arguments, annotations, trusted ->
                if (trusted && annotations?.readOnlyHint == true) Verdict.Allow else ask(tool, arguments)
            }
    }
}

/** Limits on what a server may request from the model. What is beyond them reaches no review. */
public class SamplingBudget(public val requestsPerMinute: Int = Int.MAX_VALUE, public val tokensPerSession: Long = Long.MAX_VALUE, public val maxTokens: Int = Int.MAX_VALUE) {
    private val begun = ArrayDeque<Long>()

    /** The number of tokens that the model was allowed to use so far. */
    public var tokens: Long = 0
        private set

    @Synchronized internal fun spend(asked: Int, now: Long): Int {
        while (begun.isNotEmpty() && now - begun.first() >= MINUTE) begun.removeFirst()
        val allowed = minOf(asked.toLong(), maxTokens.toLong(), tokensPerSession - tokens)
        if (begun.size >= requestsPerMinute || allowed <= 0) throw rejected("the sampling budget is used up")
        begun.addLast(now)
        tokens += allowed
        return allowed.toInt()
    }

    /** Gives back tokens that will not be used. */
    @Synchronized internal fun refund(unused: Int) {
        tokens -= unused
    }

    private companion object {
        const val MINUTE = 60_000_000_000L
    }
}

/**
 * Answers sampling requests in four steps that can each be replaced. A step that returns `null`
 * rejects the request.
 */
public abstract class Sampling(private val budget: SamplingBudget? = null) {
    /**
     * Approves a request before it goes to the model; may reduce it, not extend it: a longer system prompt,
     * a wider context and a higher `maxTokens` are cut back to what was asked.
     *
     * @param request what the server asks, with the `maxTokens` that the budget allows.
     */
    public open suspend fun reviewRequest(request: CreateMessageRequest): CreateMessageRequest? = request

    /** Chooses a model; see [choose]. */
    public open suspend fun chooseModel(preferences: ModelPreferences?): String? = null

    /** Asks the model. */
    public abstract suspend fun createMessage(request: CreateMessageRequest, model: String?): CreateMessageResult

    /** Approves the model's answer before the server gets it; may change it. */
    public open suspend fun reviewResult(result: CreateMessageResult): CreateMessageResult? = result

    internal suspend fun answer(asked: CreateMessageRequest): CreateMessageResult {
        // Before the review: who asks too often does not bother a person.
        val granted = budget?.spend(asked.maxTokens, System.nanoTime()) ?: asked.maxTokens
        val offered = objectOf("maxTokens" to granted).let { JsonObject(asked.params.json + it) }
        var left: JsonObject? = null
        try {
            left = reviewRequest(requestOf(offered))?.let { reduced(it.params.json, offered) }
        } finally {
            budget?.refund(granted - (left?.find("maxTokens")?.int() ?: 0).coerceAtLeast(0))
        }
        val request = requestOf(left ?: throw rejected(USER_REJECTED))
        val result = createMessage(request, chooseModel(request.modelPreferences))
        return reviewResult(result) ?: throw rejected(USER_REJECTED)
    }

    private fun requestOf(params: JsonObject) = CreateMessageRequest(CreateMessageRequestParams.of(params))

    /** A review may take away, not add. */
    private fun reduced(left: JsonObject, offered: JsonObject): JsonObject {
        val members = left.toMutableMap()
        for ((name, size) in LIMITED) {
            val most = offered.find(name)
            if (size(left.find(name)) <= size(most)) continue
            if (most == null) members.remove(name) else members[name] = most
        }
        return JsonObject(members)
    }

    public companion object {
        private const val USER_REJECTED = "User rejected sampling request"

        /** What a review may only make smaller, with how much it is. */
        private val LIMITED = mapOf<String, (JsonElement?) -> Int>(
            "maxTokens" to { it?.int() ?: 0 },
            "systemPrompt" to { it?.text()?.length ?: 0 },
            "includeContext" to {
                when (it?.text()) {
                    null, "none" -> 0
                    "thisServer" -> 1
                    else -> 2
                }
            },
        )

        /**
         * Chooses the first model whose name contains one of the hints, in their order; otherwise
         * the first available.
         */
        public fun choose(preferences: ModelPreferences?, available: List<String>): String? {
            val hints = preferences?.hints.orEmpty().mapNotNull { it.name }
            return hints.firstNotNullOfOrNull { hint -> available.firstOrNull { hint in it } } ?: available.firstOrNull()
        }
    }
}

/** Completes an answer to a form with defaults, and validates it. */
internal fun fitted(request: ElicitRequest, result: ElicitResult): ElicitResult {
    val form = request.params as? ElicitRequestFormParams ?: return result
    if (result.action != ElicitAction.Accept) return result
    val schema = form.requestedSchema.json
    val defaults = (schema["properties"] as? JsonObject).orEmpty()
        .mapNotNull { (name, field) -> (field as? JsonObject)?.get("default")?.let { name to it } }
    val content = JsonObject(defaults.toMap() + (result.content ?: EmptyJsonObject))
    val wrong = refused { EngineSchema(schema.toString()).use { it.check(content.toString()) } }
    if (wrong != null) throw McpException(INVALID_PARAMS, "the answer does not fit the form: $wrong")
    return ElicitResult.of(JsonObject(result.json + ("content" to content)))
}
