package dev.mcpbolt

import dev.mcpbolt.engine.EngineClient
import dev.mcpbolt.engine.EngineSignIn
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.ensureActive
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonObject
import java.util.Base64
import kotlin.coroutines.CoroutineContext
import kotlin.time.Duration
import kotlin.time.Duration.Companion.minutes

// Signing in, carried out by the engine. Owns: its options as the engine reads them, and what the
// engine asks of the program's functions. Must not know: the flow; when a token is good; connections.

/**
 * Signs a user, or the program itself, in at servers that want a token (OAuth 2.1). The common case
 * on a desktop is one argument:
 *
 *     client.connect(StreamableHttpClientTransport(url, auth = OAuth("Example")))
 *
 * A server that refuses a request says which authorization server it trusts. The user agrees in the
 * browser; tokens are kept, refreshed, and sent to that server only. In an app, give a
 * [RedirectCallback] and a [Keychain]:
 *
 *     val auth = OAuth(
 *         "Example",
 *         redirect = RedirectCallback("com.example.app:/callback") { url -> tabs.showAndWait(url) },
 *         store = keychain,
 *     )
 *
 * All transports that are given one object share its tokens, also one after the other; of many
 * requests that wait for a token one asks the user. A sign-in goes on if the client that began it is
 * closed, so that connecting again finds the token. Requests of a client that signs a user in wait a
 * minute longer than [browserTimeout], unless `request_timeout` of [ClientOptions.engine] says otherwise.
 *
 * An object lives until [close]; one that lasts as long as the program need not be closed.
 *
 * @param clientName what users see when they are asked.
 * @param redirect how the user gets to the browser and back.
 * @param store where tokens and registrations are kept.
 * @param clients clients that were registered by hand, one for each issuer.
 * @param clientMetadataUrl where the program publishes its metadata: its id at authorization servers
 * that read such documents. It then registers nowhere.
 * @param scopes what to ask for where the server does not say it.
 * @param grant for whom tokens are.
 * @param supplier gives what only the program has, such as tokens of a company's identity provider.
 * @param assertionKey signs for a client that proves itself with a key (`private_key_jwt`).
 * @param browserTimeout how long a user may take in the browser.
 * @param clientMetadata more of what the client says when it registers: `client_uri`, `logo_uri`…
 * @param engine further options of the engine: `issuer` (the only authorization server that may be
 * asked), `private_networks`, `max_step_ups`, `extra` (parameters of the authorization request),
 * `audience` (of assertions: `issuer`, `token_endpoint`), `resource`, `default_endpoints` (`never`,
 * `old_servers`, `always`), `bind_clients` (a client without an issuer is used at the first that is
 * found), `assume_id_jag`.
 * @param context where the program's functions run.
 * @param dpop a key that tokens are bound to where the authorization server does so, so that a stolen
 * one is worth nothing; each request then goes with a proof (DPoP, RFC 9449). By default they are bound
 * to none: it follows a draft (SEP-1932).
 */
@Suppress("LongParameterList")
public class OAuth(
    clientName: String,
    private val redirect: RedirectReceiver = Loopback(),
    private val store: CredentialStore = MemoryStore,
    clients: List<ClientInformation> = emptyList(),
    clientMetadataUrl: String? = null,
    scopes: List<String> = emptyList(),
    private val grant: GrantFlow = GrantFlow.AuthorizationCode,
    private val supplier: Supplier? = null,
    assertionKey: AssertionKey? = null,
    public val browserTimeout: Duration = 5.minutes,
    clientMetadata: JsonObject = EmptyJsonObject,
    engine: JsonObject = EmptyJsonObject,
    private val context: CoroutineContext = Dispatchers.Default,
    dpop: DpopKey? = null,
) : ClientAuth(), AutoCloseable {
    private val options: JsonObject = objectOf(
        "flow" to JsonObject(
            objectOf(
                "client" to JsonObject(clientMetadata + objectOf("client_name" to clientName)),
                "client_metadata_url" to clientMetadataUrl,
                "scope" to scopes.joinToString(" ").ifEmpty { null },
            ) + grant.json + engine,
        ),
        "clients" to clients.map { it.json },
        "browser" to redirect.json,
        "store" to store.json,
        "browser_timeout" to browserTimeout.forEngine(),
        "assertion_key" to assertionKey?.json,
        "dpop" to dpop?.let { Base64.getEncoder().encodeToString(it.pkcs8) },
        "supply" to (supplier != null),
        "register" to (supplier != null),
    )
    private val lock = Any()
    private var begun: Begun? = null
    private var over = false

    /** What runs once the object is used. */
    private class Begun(val driver: Driver, val engine: EngineSignIn)

    internal override val patience: Duration? get() = (browserTimeout + 1.minutes).takeIf { grant === GrantFlow.AuthorizationCode }

    internal override fun open(engine: EngineClient, target: JsonObject): ULong = begun().engine.open(engine, target.toString())

    /**
     * Signs out at a transport's server: its tokens are forgotten, then revoked where the
     * authorization server offers that (RFC 7009). The next connection asks the user.
     *
     * @throws McpException if they could not be revoked; they are forgotten all the same.
     */
    public suspend fun signOut(transport: TargetTransport) {
        val begun = refused { begun() }
        begun.driver.await { begun.engine.signOut(transport.target.toString()) }
    }

    /** As the other `signOut`, for a server that is reached without options. */
    public suspend fun signOut(url: String): Unit = signOut(StreamableHttpClientTransport(url))

    /**
     * Ends sign-ins that wait for the user. Tokens stay where they are kept, other than in
     * [MemoryStore]. The object cannot be used for connections any more.
     */
    override fun close() {
        val ended = synchronized(lock) {
            over = true
            begun.also { begun = null }
        }
        ended?.driver?.close()
        ended?.engine?.close()
    }

    private fun begun(): Begun = synchronized(lock) {
        if (over) throw failure("closed", "this OAuth is closed: make another")
        begun ?: run {
            // Its functions are no handlers. A job of the program's would only wait for an object that need not be closed.
            val driver = Driver(Services(), context.minusKey(Job))
            driver.serving { Begun(driver, EngineSignIn(options.toString(), driver.inbox)) }.also { begun = it }
        }
    }

    /** What the engine asks. */
    private inner class Services : Peer {
        override suspend fun serve(service: String, payload: JsonElement): JsonElement {
            val given = payload.obj()
            return when (service) {
                "oauth.visit" -> toJson(visited(redirect as RedirectCallback, given.need("url").text()))
                "oauth.open" -> done((redirect as Loopback).openWith?.invoke(given.need("url").text()))
                "oauth.load" -> toJson((store as Keychain).load(given.need("key").text()))
                "oauth.save" -> done((store as Keychain).put(given.need("key").text(), given.find("value")?.text()))
                "oauth.supply" -> toJson(supplier?.supply(Supplier.Need.of(given)))
                "oauth.register" -> toJson(supplier?.registerByHand(given.need("issuer").text(), given.need("metadata").obj())?.json)
                else -> super.serve(service, payload)
            }
        }

        private fun done(@Suppress("UNUSED_PARAMETER") result: Unit?): JsonElement = JsonNull

        override suspend fun answer(call: Incoming): JsonObject = throw McpException(METHOD_NOT_FOUND, "Method not found")

        override fun notified(connection: ULong, origin: ULong, method: String, params: JsonObject?): Unit = Unit

        override fun event(kind: String, item: JsonArray): Unit = Unit

        // What a function throws is the failure of what waits for it.
        override fun failed(error: Throwable): Unit = Unit
    }
}

/**
 * The URL that the browser came back with. A callback whose own work was cancelled, such as with an
 * activity that is gone, is a user who gave up.
 */
private suspend fun visited(callback: RedirectCallback, url: String): String? = try {
    callback.visit(url)
} catch (@Suppress("SwallowedException") gone: CancellationException) {
    // Unless nobody waits for the user any more.
    currentCoroutineContext().ensureActive()
    null
}

private suspend fun Keychain.put(key: String, value: String?): Unit = if (value == null) delete(key) else save(key, value)
