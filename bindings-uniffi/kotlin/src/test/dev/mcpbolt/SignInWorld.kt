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
import java.net.URLDecoder
import java.security.AlgorithmParameters
import java.security.KeyFactory
import java.security.MessageDigest
import java.security.Signature
import java.security.spec.ECGenParameterSpec
import java.security.spec.ECParameterSpec
import java.security.spec.ECPoint
import java.security.spec.ECPublicKeySpec
import java.util.Base64
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.Executors
import java.util.concurrent.atomic.AtomicInteger

/**
 * A server that wants tokens and its authorization server, on one port of this machine, and the user's browser.
 *
 * @param binds whether tokens are bound to the client's key, and good only with a proof of it.
 */
internal class SignInWorld(private val binds: Boolean = false) : AutoCloseable {
    private val server = HttpServer.create(InetSocketAddress("127.0.0.1", 0), 0)
    private val issuer = "http://127.0.0.1:${server.address.port}"
    private val drawn = AtomicInteger()
    private val codes = ConcurrentHashMap<String, Map<String, String>>()
    private val good: MutableSet<String> = ConcurrentHashMap.newKeySet()
    val url = "$issuer/mcp"

    /** What was asked of the authorization server: the path and the parameters. */
    val seen = CopyOnWriteArrayList<Pair<String, Map<String, String>>>()

    /** The proofs of possession that came, to either. */
    val proofs = CopyOnWriteArrayList<String>()

    private val scheme = if (binds) "DPoP" else "Bearer"

    init {
        server.executor = Executors.newCachedThreadPool { Thread(it).apply { isDaemon = true } }
        server.createContext("/") { exchange -> exchange.use(::answer) }
        server.start()
    }

    fun count(path: String): Int = seen.count { it.first == path }

    /** A token that is good without a sign-in. */
    fun issue(): String = draw("access").also(good::add)

    private fun draw(what: String) = "canary-$what-${drawn.incrementAndGet()}"

    override fun close(): Unit = server.stop(0)

    private fun answer(exchange: HttpExchange) {
        val body = exchange.requestBody.readAllBytes().decodeToString()
        val form = if (exchange.requestMethod == "GET") exchange.requestURI.rawQuery.orEmpty() else body
        val path = exchange.requestURI.path
        exchange.requestHeaders["dpop"]?.let(proofs::addAll)
        if (path != "/mcp" && !path.startsWith("/.well-known/")) seen += path to if (path == "/register") emptyMap() else pairs(form)
        when (path) {
            "/mcp" -> resource(exchange, body)
            "/.well-known/oauth-protected-resource/mcp" ->
                exchange.say(200, objectOf("resource" to url, "authorization_servers" to listOf(issuer)))
            "/.well-known/oauth-authorization-server" -> exchange.say(200, about())
            "/register" -> exchange.say(201, objectOf("client_id" to draw("client")))
            "/authorize" -> authorize(exchange, pairs(form))
            "/token" -> token(exchange, pairs(form))
            "/revoke" -> {
                good -= pairs(form)["token"].orEmpty()
                exchange.say(200)
            }
            else -> exchange.say(404)
        }
    }

    private fun about() = objectOf(
        "issuer" to issuer,
        "authorization_endpoint" to "$issuer/authorize",
        "token_endpoint" to "$issuer/token",
        "registration_endpoint" to "$issuer/register",
        "revocation_endpoint" to "$issuer/revoke",
        "code_challenge_methods_supported" to listOf("S256"),
        "authorization_response_iss_parameter_supported" to true,
    )

    private fun resource(exchange: HttpExchange, body: String) {
        if (exchange.requestMethod != "POST") return exchange.say(if (exchange.requestMethod == "GET") 405 else 200)
        if (exchange.requestHeaders.getFirst("authorization").orEmpty().removePrefix("$scheme ") !in good || exchange.isUnproved()) {
            exchange.responseHeaders.set("www-authenticate", "$scheme scope=\"notes\"")
            return exchange.say(401)
        }
        val message = parse(body).obj()
        val result = when (message.tag("method")) {
            "initialize" -> objectOf(
                "protocolVersion" to "2025-11-25",
                "capabilities" to objectOf("tools" to EmptyJsonObject),
                "serverInfo" to objectOf("name" to "resource", "version" to "1"),
            )
            "tools/list" -> objectOf("tools" to emptyList<Any>())
            "tools/call" -> text("done").json
            else -> return exchange.say(202)
        }
        exchange.say(200, objectOf("jsonrpc" to "2.0", "id" to message["id"], "result" to result))
    }

    private fun authorize(exchange: HttpExchange, asked: Map<String, String>) {
        val code = draw("code").also { codes[it] = asked }
        exchange.responseHeaders.set("location", "${asked["redirect_uri"]}?code=$code&state=${asked["state"]}&iss=$issuer")
        exchange.say(302)
    }

    private fun HttpExchange.isUnproved() = binds && "dpop" !in requestHeaders

    /** Whether a proof names a token that was issued. */
    fun isForToken(proof: String): Boolean = claims(proof).tag("ath") in good.map(::digest)

    private fun token(exchange: HttpExchange, asked: Map<String, String>) {
        if (exchange.isUnproved()) return exchange.say(400, objectOf("error" to "invalid_dpop_proof"))
        val fits = when (asked["grant_type"]) {
            "authorization_code" -> codes.remove(asked["code"].orEmpty())?.get("code_challenge") == digest(asked["code_verifier"].orEmpty())
            else -> exchange.requestHeaders.getFirst("authorization") == "Basic " + Base64.getEncoder().encodeToString("nightly:known".toByteArray())
        }
        if (!fits) return exchange.say(400, objectOf("error" to "invalid_grant"))
        val tokens = objectOf("access_token" to issue(), "refresh_token" to draw("refresh"), "token_type" to scheme, "expires_in" to 3600)
        exchange.say(200, tokens)
    }

    /** What a browser does whose user agrees to everything: where it is sent back to. */
    suspend fun browse(url: String): String = withContext(Dispatchers.IO) { get(url) ?: error("the browser is sent nowhere") }
}

private fun get(url: String): String? {
    val connection = URI(url).toURL().openConnection() as HttpURLConnection
    connection.instanceFollowRedirects = false
    connection.inputStream.use { it.readAllBytes() }
    return connection.getHeaderField("location")
}

/** Opens the browser, which comes back by itself. */
internal suspend fun SignInWorld.follow(url: String) {
    val back = browse(url)
    withContext(Dispatchers.IO) { get(back) }
}

internal fun digest(text: String): String =
    Base64.getUrlEncoder().withoutPadding().encodeToString(MessageDigest.getInstance("SHA-256").digest(text.toByteArray()))

internal fun bytes(text: String): ByteArray = Base64.getUrlDecoder().decode(text)

/** What a proof says. */
internal fun claims(proof: String): JsonObject = parse(bytes(proof.split('.')[1]).decodeToString()).obj()

/** The thumbprint of the key that a proof is signed with; fails if it is not. */
internal fun signer(proof: String): String {
    val (head, body, signature) = proof.split('.')
    val key = parse(bytes(head).decodeToString()).obj().need("jwk").obj()
    val (x, y) = listOf("x", "y").map { key.need(it).text() }
    val curve = AlgorithmParameters.getInstance("EC").apply { init(ECGenParameterSpec("secp256r1")) }
    val point = ECPoint(BigInteger(1, bytes(x)), BigInteger(1, bytes(y)))
    val public = KeyFactory.getInstance("EC").generatePublic(ECPublicKeySpec(point, curve.getParameterSpec(ECParameterSpec::class.java)))
    val signed = Signature.getInstance("SHA256withECDSAinP1363Format").apply { initVerify(public) }
    signed.update("$head.$body".toByteArray())
    check(signed.verify(bytes(signature))) { "a proof is not signed with its key" }
    return digest("{\"crv\":\"P-256\",\"kty\":\"EC\",\"x\":\"$x\",\"y\":\"$y\"}")
}

internal fun pairs(form: String): Map<String, String> = form.split('&').filter { '=' in it }.associate { pair ->
    val (name, value) = pair.split('=', limit = 2).map { URLDecoder.decode(it, Charsets.UTF_8) }
    name to value
}

internal fun HttpExchange.say(status: Int, json: JsonObject? = null) {
    val bytes = json?.toString().orEmpty().toByteArray()
    if (json != null) responseHeaders.set("content-type", "application/json")
    sendResponseHeaders(status, if (bytes.isEmpty()) -1 else bytes.size.toLong())
    if (bytes.isNotEmpty()) responseBody.write(bytes)
}
