package dev.mcpbolt

import kotlinx.serialization.json.JsonObject

// Methods of extensions, as the engine reads them. Must not know: who answers or sends one.

/** The parameter of a method that names what its requests are about; HTTP clients repeat it in the `Mcp-Name` header. */
public enum class NamedBy {
    /** The parameter `name`. */
    Name,

    /** The parameter `uri`. */
    Uri,
}

/** What clients get from a method of an extension that they did not declare. */
public enum class Undeclared {
    /** The error -32021, with the extension in `data.requiredCapabilities`. */
    Refuse,

    /** The answer, like all others. */
    Serve,
}

internal fun extensionRow(extension: String, method: String, namedBy: NamedBy?, since: String?, undeclared: Undeclared? = null): JsonObject = objectOf(
    "extension" to extension,
    "method" to method,
    "named_by" to namedBy?.name?.lowercase(),
    "since" to since,
    "undeclared" to undeclared?.name?.lowercase(),
)

/** Throws if one of the extensions is listed twice. [side] is whose they are: `client` or `server`. */
internal fun needOnce(side: String, extensions: List<String>) {
    val twice = extensions.groupingBy { it }.eachCount().filterValues { it > 1 }.keys
    if (twice.isNotEmpty()) throw failure("usage", "the $side has the extension ${twice.first()} twice: list it once")
}

/** The capabilities of a program, with those of its extensions. */
internal fun withExtensions(capabilities: JsonObject, settings: Map<String, JsonObject>): JsonObject {
    if (settings.isEmpty()) return capabilities
    return JsonObject(capabilities + objectOf("extensions" to (capabilities["extensions"] as? JsonObject).orEmpty() + settings))
}
