package dev.mcpbolt

import kotlinx.serialization.json.JsonObject

// The user's way to the authorization server and back. Must not know: what the browser brings back.

/** How a user gets to the browser, and how the answer comes back: [Loopback] or [RedirectCallback]. */
public sealed class RedirectReceiver {
    internal abstract val json: JsonObject
}

/**
 * Receives the answer at `http://127.0.0.1`, while a user signs in. The browser of the system opens.
 *
 * @param port the port; 0 for a free one. Authorization servers should not compare it.
 * @param path the path of the redirect URI, beginning with a slash.
 * @param openWith opens the URL in place of the system's browser: another browser, a custom tab, a
 * text that asks the user. If it waits, it is cancelled once the user is back. The URL belongs in no
 * log.
 */
public class Loopback(
    private val port: Int = 0,
    private val path: String = "/callback",
    internal val openWith: (suspend (url: String) -> Unit)? = null,
) : RedirectReceiver() {
    internal override val json: JsonObject get() = objectOf("port" to port, "path" to path, "open" to (openWith != null))
}

/**
 * A place of the app's own: an HTTPS link that the system hands to the app, or a scheme such as
 * `com.example.app:/callback`, which other apps can claim too.
 *
 * @param redirectUri where the browser comes back to.
 * @param visit shows the user the URL and waits; returns the whole URL that the browser came back
 * with, `null` if the user gave up; a `CancellationException` of its own, as when the scope of the
 * app's screen ended, means that too. It is cancelled when the time is over. The URL belongs in no log.
 */
public class RedirectCallback(
    public val redirectUri: String,
    internal val visit: suspend (url: String) -> String?,
) : RedirectReceiver() {
    internal override val json: JsonObject get() = objectOf("redirect_uri" to redirectUri)
}
