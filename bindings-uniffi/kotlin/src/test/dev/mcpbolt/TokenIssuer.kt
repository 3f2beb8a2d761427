package dev.mcpbolt

import com.sun.net.httpserver.HttpExchange
import com.sun.net.httpserver.HttpServer
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.withContext
import kotlinx.serialization.json.JsonObject
import java.math.BigInteger
import java.net.HttpURLConnection
import java.net.InetSocketAddress
import java.net.URI
import java.security.KeyPairGenerator
import java.security.Signature
import java.security.interfaces.ECPublicKey
import java.security.spec.ECGenParameterSpec
import java.util.Base64
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.Executors

/** An authorization server with keys, whose tokens are JWTs, and a user who agrees to everything. */
internal class TokenIssuer : AutoCloseable {
    private val keys = KeyPairGenerator.getInstance("EC").apply { initialize(ECGenParameterSpec("secp256r1")) }.generateKeyPair()
    private val server = HttpServer.create(InetSocketAddress("127.0.0.1", 0), 0)
    private val codes = ConcurrentHashMap<String, Map<String, String>>()
    val url = "http://127.0.0.1:${server.address.port}"

    /** The paths that were asked for. */
    val seen = CopyOnWriteArrayList<String>()

    /** What users agreed to, one after the other. */
    val agreed = CopyOnWriteArrayList<String>()

    init {
        server.executor = Executors.newCachedThreadPool { Thread(it).apply { isDaemon = true } }
        server.createContext("/") { exchange -> exchange.use(::answer) }
        server.start()
    }

    override fun close(): Unit = server.stop(0)

    /** What a good token says, with changes; `null` leaves a claim out. */
    fun claims(resource: String, vararg changed: Pair<String, Any?>): JsonObject {
        val usual = mapOf("iss" to url, "aud" to resource, "sub" to "ann", "client_id" to "editor", "scope" to "notes", "exp" to now() + 60, "team" to "blue")
        return objectOf(*(usual + changed).toList().toTypedArray())
    }

    fun token(claims: JsonObject): String {
        val text = part(objectOf("alg" to "ES256", "typ" to "at+jwt", "kid" to "k").toString().toByteArray()) + "." + part(claims.toString().toByteArray())
        val signature = Signature.getInstance("SHA256withECDSAinP1363Format").apply { initSign(keys.private) }
        signature.update(text.toByteArray())
        return text + "." + part(signature.sign())
    }

    /** What a browser does: where it is sent back to. */
    suspend fun browse(page: String): String = withContext(Dispatchers.IO) {
        val connection = URI(page).toURL().openConnection() as HttpURLConnection
        connection.instanceFollowRedirects = false
        connection.inputStream.use { it.readAllBytes() }
        connection.getHeaderField("location")
    }

    private fun answer(exchange: HttpExchange) {
        val body = exchange.requestBody.readAllBytes().decodeToString()
        val path = exchange.requestURI.path.also(seen::add)
        when (path) {
            "/.well-known/oauth-authorization-server" -> exchange.say(200, about())
            "/keys" -> exchange.say(200, objectOf("keys" to listOf(key())))
            "/register" -> exchange.say(201, objectOf("client_id" to "registered"))
            "/introspect" -> exchange.say(200, JsonObject(objectOf("active" to (pairs(body)["token"] == "opaque")) + claims(pairs(body)["token"].orEmpty(), "aud" to OPAQUE_AUDIENCE)))
            "/authorize" -> {
                val asked = pairs(exchange.requestURI.rawQuery)
                agreed += asked["scope"].orEmpty()
                val code = "code-${agreed.size}".also { codes[it] = asked }
                exchange.responseHeaders.set("location", "${asked["redirect_uri"]}?code=$code&state=${asked["state"]}&iss=$url")
                exchange.say(302)
            }
            "/token" -> {
                val asked = codes.remove(pairs(body)["code"].orEmpty()) ?: return exchange.say(400, objectOf("error" to "invalid_grant"))
                val token = token(claims(asked.getValue("resource"), "client_id" to "registered", "scope" to asked["scope"]))
                exchange.say(200, objectOf("access_token" to token, "token_type" to "Bearer", "expires_in" to 60))
            }
            else -> exchange.say(404)
        }
    }

    private fun about() = objectOf(
        "issuer" to url,
        "authorization_endpoint" to "$url/authorize",
        "token_endpoint" to "$url/token",
        "registration_endpoint" to "$url/register",
        "introspection_endpoint" to "$url/introspect",
        "jwks_uri" to "$url/keys",
        "response_types_supported" to listOf("code"),
        "code_challenge_methods_supported" to listOf("S256"),
        "authorization_response_iss_parameter_supported" to true,
    )

    private fun key(): JsonObject {
        val point = (keys.public as ECPublicKey).w
        return objectOf("kty" to "EC", "crv" to "P-256", "x" to part(fixed(point.affineX)), "y" to part(fixed(point.affineY)), "kid" to "k", "alg" to "ES256", "use" to "sig")
    }

    companion object {
        /** For whom the token `opaque` is. */
        const val OPAQUE_AUDIENCE = "api"

        fun now(): Long = System.currentTimeMillis() / 1000

        private fun part(bytes: ByteArray): String = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes)

        /** A coordinate in its 32 bytes. */
        private fun fixed(number: BigInteger): ByteArray = number.toByteArray().let { ByteArray(32 - minOf(it.size, 32)) + it.takeLast(32) }
    }
}
