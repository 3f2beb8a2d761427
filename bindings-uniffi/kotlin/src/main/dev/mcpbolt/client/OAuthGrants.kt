package dev.mcpbolt

import dev.mcpbolt.engine.dpopKey
import kotlinx.serialization.json.JsonObject
import kotlin.time.Duration
import kotlin.time.Duration.Companion.minutes

// Who the client is, for whom it asks, and what proves it. Must not know: what is done with it.

/**
 * A client that was registered by hand at an authorization server.
 *
 * @property issuer the authorization server that knows it; its credentials are shown to no other.
 * Without one, `bind_clients` of the engine has to be on.
 * @property tokenEndpointAuthMethod how it proves itself: `none`, `client_secret_basic`,
 * `client_secret_post`, `private_key_jwt`. By default what the server supports.
 */
public class ClientInformation(
    public val clientId: String,
    public val issuer: String? = null,
    private val clientSecret: String? = null,
    public val tokenEndpointAuthMethod: String? = null,
) {
    internal val json: JsonObject
        get() = objectOf(
            "client_id" to clientId,
            "issuer" to issuer,
            "client_secret" to clientSecret,
            "token_endpoint_auth_method" to tokenEndpointAuthMethod,
        )
}

/** For whom a client asks for tokens. */
public sealed class GrantFlow {
    internal abstract val json: JsonObject

    /** For a user, who agrees in a browser. */
    public object AuthorizationCode : GrantFlow() {
        internal override val json: JsonObject get() = EmptyJsonObject
    }

    /** For itself, with credentials of its own ([ClientInformation] with a secret, or an [AssertionKey]). */
    public object ClientCredentials : GrantFlow() {
        internal override val json: JsonObject get() = objectOf("grant" to "client_credentials")
    }

    /**
     * For a user whom a company's identity provider speaks for (ID-JAG).
     *
     * @param identityProvider where a token of the user becomes the grant; without one, the [Supplier]
     * brings the grant itself.
     */
    public class EnterpriseManaged(private val identityProvider: IdentityProvider? = null) : GrantFlow() {
        internal override val json: JsonObject get() = objectOf("grant" to "id_jag", "identity_provider" to identityProvider?.json)
    }

    /** For itself, known by an assertion of the platform it runs on. It follows a draft. */
    public object WorkloadIdentity : GrantFlow() {
        internal override val json: JsonObject get() = objectOf("grant" to "workload_identity")
    }
}

/**
 * A company's identity provider.
 *
 * @param client the client as the provider knows it.
 * @param subjectTokenType what the [Supplier] gives: [ID_TOKEN] or [REFRESH_TOKEN].
 * @param tokenEndpoint where tokens are exchanged; found by the issuer if it is not given.
 */
public class IdentityProvider(
    private val issuer: String,
    private val client: ClientInformation,
    private val subjectTokenType: String = ID_TOKEN,
    private val tokenEndpoint: String? = null,
) {
    internal val json: JsonObject
        get() = objectOf(
            "issuer" to issuer,
            "client" to client.json,
            "subject_token_type" to subjectTokenType,
            "token_endpoint" to tokenEndpoint,
        )

    public companion object {
        /** An ID token of the user. */
        public const val ID_TOKEN: String = "urn:ietf:params:oauth:token-type:id_token"

        /** A refresh token of the user. */
        public const val REFRESH_TOKEN: String = "urn:ietf:params:oauth:token-type:refresh_token"
    }
}

/**
 * A key by which a client proves itself (`private_key_jwt`).
 *
 * @param algorithm such as `ES256` or `RS256`.
 * @param key the private key as PEM (PKCS#8; RSA also PKCS#1).
 * @param lifetime how long an assertion is good.
 */
public class AssertionKey(private val algorithm: String, private val key: String, private val lifetime: Duration = 5.minutes) {
    internal val json: JsonObject get() = objectOf("algorithm" to algorithm, "key" to key, "lifetime" to lifetime.forEngine())
}

/**
 * A key on P-256 that tokens are bound to (DPoP, RFC 9449): whoever steals a token cannot use it without
 * the key. It follows a draft (SEP-1932).
 *
 * @param pkcs8 a key that was kept, in DER (PKCS#8); `null` makes a new one.
 * @throws McpUsageException if it is no such key.
 */
public class DpopKey(pkcs8: ByteArray? = null) {
    private val key = refused { dpopKey(pkcs8) }

    /** The key in DER (PKCS#8), to be kept where nobody else reads it: tokens that outlast the program need it. */
    public val pkcs8: ByteArray get() = key.pkcs8.copyOf()

    /** The thumbprint of its public part (RFC 7638), by which tokens name it. */
    public val thumbprint: String get() = key.thumbprint

    override fun toString(): String = "DpopKey($thumbprint)"
}

/** Gives what only the program has. What is not given ends the sign-in with an error that names it. */
public interface Supplier {
    /** Something secret that a sign-in needs. */
    public sealed class Need {
        /** A signed assertion by which a client proves itself (RFC 7523). */
        public class ClientAssertion internal constructor(public val clientId: String, public val audience: String) : Need()

        /** The grant of a company's identity provider. */
        public class IdJag internal constructor(public val audience: String, public val resource: String, public val scopes: List<String>) : Need()

        /** A token of the user, of the type that [IdentityProvider] names. */
        public class SubjectToken internal constructor(public val tokenType: String) : Need()

        /** An assertion of the platform the program runs on. */
        public class WorkloadAssertion internal constructor(public val audience: String) : Need()

        internal companion object {
            fun of(json: JsonObject): Need {
                val text = { name: String -> json.need(name).text() }
                return when (val need = text("need")) {
                    "client_assertion" -> ClientAssertion(text("client_id"), text("audience"))
                    "id_jag" -> IdJag(text("audience"), text("resource"), json.find("scope")?.text().orEmpty().split(' ').filter { it.isNotEmpty() })
                    "subject_token" -> SubjectToken(text("token_type"))
                    "workload_assertion" -> WorkloadAssertion(text("audience"))
                    else -> throw ShapeException("nobody supplies $need")
                }
            }
        }
    }

    /** Returns what is needed; `null` if the program does not have it. */
    public suspend fun supply(need: Need): String?

    /**
     * Returns a client that the user registers by hand at an authorization server, which lets no
     * client register by itself; `null` gives up.
     *
     * @param metadata what to say there.
     */
    public suspend fun registerByHand(issuer: String, metadata: JsonObject): ClientInformation? = null
}
