package dev.mcpbolt

import kotlinx.serialization.json.JsonObject
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

// What an HTTP server asks of access tokens. Owns: the options as the engine reads them. Must not
// know: what makes a token good; how a refusal is worded.

/**
 * Makes a server over HTTP an OAuth resource server: every request needs an access token of an issuer
 * that it trusts. The engine checks signature, issuer, audience, times and scopes, answers other
 * requests with the challenge that leads clients to the issuer, and publishes the server's metadata
 * (RFC 9728).
 *
 *     val auth = ResourceServer(
 *         resource = "https://mcp.example.com/mcp",
 *         issuer = "https://login.example.com",
 *         scopes = listOf("notes"),
 *     )
 *     server.serveHttp(port = 8000, auth = auth)
 *
 * Tokens are JWTs (RFC 9068) by the keys that their issuer publishes, unless [introspection] or
 * [verifier] says otherwise. Handlers find who asks in [ClientConnection.principal]; single tools,
 * prompts and resources may need further scopes, given where they are added.
 *
 * @param resource the URL of this server as clients know it, for which tokens have to be.
 * @param issuer the issuer of tokens, exactly as they name it.
 * @param scopes what every request needs. Default: none.
 * @param otherIssuers more issuers whose tokens are taken. Default: none.
 * @param audiences what tokens may name as their audience instead of [resource], for issuers that do
 * not write that URL into tokens. Default: none.
 * @param scopesSupported the scopes that the metadata name. Default: those of [scopes].
 * @param impliedScopes for each scope those that it stands for as well. Default: none.
 * @param name the server's name for people who are asked whether a program may use it.
 * @param documentation the URL of a page for developers.
 * @param leeway how far clocks may differ. Default: 30 seconds.
 * @param introspection asks the issuer about tokens that only it can read. Default: not used.
 * @param dpop lets clients bind tokens to a key. Default: such tokens are refused.
 * @param privateNetworks whether the documents of an issuer with a public name may be on a private
 * network. Default: no.
 * @param verifier finds out in the program's own way whether a token is genuine. Default: the issuer's
 * keys.
 */
@Suppress("LongParameterList")
public class ResourceServer(
    resource: String,
    issuer: String,
    scopes: List<String> = emptyList(),
    otherIssuers: List<String> = emptyList(),
    audiences: List<String> = emptyList(),
    scopesSupported: List<String> = emptyList(),
    impliedScopes: Map<String, List<String>> = emptyMap(),
    name: String? = null,
    documentation: String? = null,
    leeway: Duration = 30.seconds,
    introspection: TokenIntrospection? = null,
    dpop: DpopRules? = null,
    privateNetworks: Boolean = false,
    internal val verifier: TokenVerifier? = null,
) {
    private val options = objectOf(
        "resource" to resource,
        "issuers" to listOf(issuer) + otherIssuers,
        "audiences" to audiences,
        "scopes" to scopes,
        "scopes_supported" to scopesSupported,
        "implies" to impliedScopes,
        "name" to name,
        "documentation" to documentation,
        "leeway" to leeway.forEngine(),
        "introspection" to introspection?.json,
        "dpop" to dpop?.json,
        "private_networks" to privateNetworks,
    )

    /** The options for the engine; [service] is what it asks about tokens where there is a [verifier]. */
    internal fun json(service: String): JsonObject = JsonObject(options + objectOf("verifier" to service.takeIf { verifier != null }))
}

/**
 * Has the issuer say whether tokens are good (RFC 7662); for one issuer.
 *
 * @param clientId the id of this server at the issuer.
 * @param clientSecret its secret there.
 * @param endpoint the URL to ask. Default: that of the issuer's metadata.
 * @param remember how long an answer is reused: a revoked token is refused after this time at the
 * latest. Default: 30 seconds; zero asks for each request.
 */
public class TokenIntrospection(clientId: String, clientSecret: String, endpoint: String? = null, remember: Duration = 30.seconds) {
    internal val json: JsonObject =
        objectOf("client_id" to clientId, "client_secret" to clientSecret, "endpoint" to endpoint, "remember" to remember.forEngine())
}

/**
 * Takes tokens that clients bind to a key, so that stolen ones are useless (DPoP, RFC 9449). It follows
 * a draft of the protocol (SEP-1932).
 *
 * @param required whether tokens that are not bound to a key are refused. Default: no.
 * @param nonces makes clients repeat a nonce of this server in each proof. The secrets protect the nonces
 * and are the same on all nodes; an empty list means a random secret. Default: no nonces.
 */
public class DpopRules(required: Boolean = false, nonces: List<String>? = null) {
    internal val json: JsonObject = objectOf("required" to required, "nonces" to nonces)
}

/** Finds out in the program's own way whether an access token is genuine, such as in a database. */
public fun interface TokenVerifier {
    /**
     * Looks at a token. An exception is told to [Server.onError], and the client gets 503.
     *
     * @return what the token says; `null` if it is not genuine, which the client gets 401 for. Issuer,
     * audience, times and scopes are checked afterwards, as those of any other token.
     */
    public suspend fun verify(token: String): VerifiedToken?
}

/**
 * A genuine token.
 *
 * @property claims what it says, by the names of RFC 9068: `iss`, `aud` and `exp` (seconds since 1970)
 * are needed, and `sub` or `client_id`; `scope` has its scopes with spaces between them.
 * @property remember how long this need not be found out again, never beyond the token's end. Default:
 * zero, so that the program is asked for each request.
 */
public class VerifiedToken(public val claims: JsonObject, public val remember: Duration = Duration.ZERO) {
    internal val json: JsonObject get() = objectOf("claims" to claims, "remember" to remember.forEngine())
}

/** Who sent a request, by its verified credentials. */
public class Principal internal constructor(
    /** Identifies the sender: the token's subject, else its client; after the issuer and a space where there are several issuers. */
    public val id: String,
    private val token: JsonObject,
) {
    /** Whom the token stands for (`sub`): a user, or the client itself. `null` if it does not say so. */
    public val subject: String? get() = token.find("subject")?.text()

    /** The client that was given the token. `null` if the token does not say so. */
    public val clientId: String? get() = token.find("clientId")?.text()

    /** Who made the token. `null` without a token. */
    public val issuer: String? get() = token.find("issuer")?.text()

    /** What the token allows. Empty without a token. */
    public val scopes: List<String> get() = token.find("scopes")?.list { it.text() }.orEmpty()

    /** From when on the token is void, in seconds since 1970. `null` without a token. */
    public val expiresAt: Long? get() = token.find("expiresAt")?.long()

    /** All that the token says. Empty without a token. */
    public val claims: JsonObject get() = token.find("claims") as? JsonObject ?: EmptyJsonObject
}
