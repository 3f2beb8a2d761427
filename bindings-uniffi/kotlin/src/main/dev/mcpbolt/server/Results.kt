package dev.mcpbolt

import kotlinx.serialization.json.JsonObject

// Results of tools that are one text. Must not know: who sends them.

/** Creates a result with one text. */
public fun CallToolResult.Companion.success(content: String, meta: JsonObject? = null): CallToolResult =
    CallToolResult(listOf(TextContent(content)), isError = false, meta = meta)

/** Creates a result with `isError`: a failure that the model is to see. */
public fun CallToolResult.Companion.error(content: String, meta: JsonObject? = null): CallToolResult =
    CallToolResult(listOf(TextContent(content)), isError = true, meta = meta)
