@file:Suppress("DEPRECATION")

package dev.mcpbolt

import dev.mcpbolt.engine.EngineSchema
import kotlinx.serialization.json.JsonObject

// What a person decides before something is sent: calls of tools, questions to the model,
// answers to forms. Must not know: connections.

/** Decides about calls of tools. */
public fun interface ToolReview {
    /** What was decided. */
    public sealed interface Verdict {
        public object Allow : Verdict

        public class Edit(public val arguments: JsonObject) : Verdict

        public class Deny(public val reason: String) : Verdict
    }

    /** @param trusted whether [annotations] may be believed. */
    public suspend fun review(tool: String, arguments: JsonObject, annotations: ToolAnnotations?, trusted: Boolean): Verdict

    /** Allows everything. */
    public object AllowAll : ToolReview {
        override suspend fun review(tool: String, arguments: JsonObject, annotations: ToolAnnotations?, trusted: Boolean): Verdict = Verdict.Allow
    }

    public companion object {
        /** Asks about every call. */
        public fun askAlways(ask: suspend (tool: String, arguments: JsonObject) -> Verdict): ToolReview =
            ToolReview { tool, arguments, _, _ -> ask(tool, arguments) }

        /** Asks unless a trusted server says that the tool changes nothing. */
        public fun askUnlessReadOnly(ask: suspend (tool: String, arguments: JsonObject) -> Verdict): ToolReview =
            ToolReview { tool, arguments, annotations, trusted ->
                if (trusted && annotations?.readOnlyHint == true) Verdict.Allow else ask(tool, arguments)
            }
    }
}

/** How much a server may ask of the model. */
public class SamplingBudget(public val requestsPerMinute: Int = Int.MAX_VALUE, public val tokensPerSession: Long = Long.MAX_VALUE, public val maxTokens: Int = Int.MAX_VALUE) {
    private val begun = ArrayDeque<Long>()

    /** Tokens that were allowed so far. */
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

    private companion object {
        const val MINUTE = 60_000_000_000L
    }
}

/** Asks the model for a server, in four steps that can each be replaced. `null` rejects. */
public abstract class Sampling(private val budget: SamplingBudget? = null) {
    /** The person looks at the request, and may reduce it. */
    public open suspend fun reviewRequest(request: CreateMessageRequest): CreateMessageRequest? = request

    /** Chooses a model; see [choose]. */
    public open suspend fun chooseModel(preferences: ModelPreferences?): String? = null

    /** Asks it. */
    public abstract suspend fun createMessage(request: CreateMessageRequest, model: String?): CreateMessageResult

    /** The person looks at the answer, and may change it. */
    public open suspend fun reviewResult(result: CreateMessageResult): CreateMessageResult? = result

    internal suspend fun answer(asked: CreateMessageRequest): CreateMessageResult {
        val allowed = reviewRequest(asked) ?: throw rejected(REJECTED)
        var tokens = minOf(allowed.maxTokens, asked.maxTokens)
        if (budget != null) tokens = budget.spend(tokens, System.nanoTime())
        val params = CreateMessageRequestParams.of(JsonObject(allowed.params.json + objectOf("maxTokens" to tokens)))
        val result = createMessage(CreateMessageRequest(params), chooseModel(params.modelPreferences))
        return reviewResult(result) ?: throw rejected(REJECTED)
    }

    public companion object {
        private const val REJECTED = "User rejected sampling request"

        /** Hints in their order, by a part of the name; the first that is available if none fits. */
        public fun choose(preferences: ModelPreferences?, available: List<String>): String? {
            val hints = preferences?.hints.orEmpty().mapNotNull { it.name }
            return hints.firstNotNullOfOrNull { hint -> available.firstOrNull { hint in it } } ?: available.firstOrNull()
        }
    }
}

/** An answer to a form, with the defaults it leaves out; it must fit. */
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
