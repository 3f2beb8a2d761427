package dev.mcpbolt

import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.withContext
import kotlinx.serialization.json.JsonObject
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import java.net.ServerSocket
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import java.util.concurrent.CopyOnWriteArrayList

/** Servers that want tokens: an issuer with keys, and requests with its tokens. */
class ResourceServerTest {
    private val http = HttpClient.newHttpClient()

    /** A server that its clients know by this URL. */
    private class Guarded(val issuer: TokenIssuer) : AutoCloseable {
        private val port = ServerSocket(0).use { it.localPort }
        val url = "http://127.0.0.1:$port/mcp"
        val errors = CopyOnWriteArrayList<String>()
        val server = Server(Implementation("guarded", "1"), ServerOptions(ServerCapabilities(tools = ServerCapabilities.Tools()))) {
            onError = { kind, message -> errors += "$kind $message" }
            addTool("who", "Says who asks") {
                val who = checkNotNull(principal)
                text("${who.id} ${who.subject} ${who.clientId} ${who.issuer == issuer.url} ${who.scopes} ${who.claims.tag("team")} ${who.expiresAt != null}")
            }
            addTool("write", "Writes", scopes = listOf("notes:read", "notes:write")) { text("written by ${principal?.subject}") }
        }

        fun serve(auth: ResourceServer = ResourceServer(url, issuer.url, scopes = listOf("notes"))): HttpListener = server.serveHttp(port = port, auth = auth)

        override fun close(): Unit = bounded { server.close() }
    }

    private fun guarded(auth: Guarded.() -> ResourceServer = { ResourceServer(url, issuer.url, scopes = listOf("notes")) }, body: suspend Guarded.() -> Unit): Unit =
        TokenIssuer().use { issuer ->
            Guarded(issuer).use { one ->
                bounded {
                    one.serve(one.auth())
                    one.body()
                }
            }
        }

    private fun Guarded.good(vararg changed: Pair<String, Any?>): String = issuer.token(issuer.claims(url, *changed))

    /** POSTs a call of a tool. */
    private suspend fun Guarded.call(token: String?, tool: String = "who"): HttpResponse<String> = withContext(Dispatchers.IO) {
        val meta = objectOf(
            "io.modelcontextprotocol/protocolVersion" to "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities" to EmptyJsonObject,
            "io.modelcontextprotocol/clientInfo" to Implementation("test", "1"),
        )
        val params = objectOf("name" to tool, "arguments" to EmptyJsonObject, "_meta" to meta)
        val request = HttpRequest.newBuilder(URI(url)).POST(HttpRequest.BodyPublishers.ofString(objectOf("jsonrpc" to "2.0", "id" to 1, "method" to "tools/call", "params" to params).toString()))
        request.header("content-type", "application/json").header("accept", "application/json, text/event-stream")
        request.header("mcp-protocol-version", "2026-07-28").header("mcp-method", "tools/call").header("mcp-name", tool)
        if (token != null) request.header("authorization", "Bearer $token")
        http.send(request.build(), HttpResponse.BodyHandlers.ofString())
    }

    private val HttpResponse<String>.challenge: String get() = headers().firstValue("www-authenticate").orElse("")

    @Test
    fun `handlers see who asks and what the token says`() = guarded {
        assertTrue("ann ann editor true [notes] blue true" in call(good()).body())
        // What was found out is remembered.
        call(good())
        assertEquals(1, issuer.seen.count { it == "/keys" })
    }

    @Test
    fun `other requests are refused with a challenge that leads to the issuer`() = guarded {
        val wrong = listOf(
            null,
            "nonsense",
            good("aud" to "https://other.example/mcp"),
            good("exp" to TokenIssuer.now() - 60),
            good("iss" to "https://other.example"),
            good().dropLast(8) + "AAAAAAAA",
        )
        for (token in wrong) {
            val refused = call(token)
            assertEquals(401, refused.statusCode(), token)
            val about = url.replace("/mcp", "/.well-known/oauth-protected-resource/mcp")
            assertTrue("resource_metadata=\"$about\"" in refused.challenge, refused.challenge)
            assertFalse(token != null && token in refused.body() + refused.challenge)
        }
        val document = withContext(Dispatchers.IO) {
            val place = URI(url.replace("/mcp", "/.well-known/oauth-protected-resource/mcp"))
            parse(http.send(HttpRequest.newBuilder(place).build(), HttpResponse.BodyHandlers.ofString()).body()).obj()
        }
        assertEquals(objectOf("resource" to url, "authorization_servers" to listOf(issuer.url), "scopes_supported" to listOf("notes")), JsonObject(document.filterKeys { it in setOf("resource", "authorization_servers", "scopes_supported") }))
    }

    @Test
    fun `a tool needs its scopes, and the challenge names all of them`() = guarded {
        val refused = call(good("scope" to "notes notes:read"), "write")
        assertEquals(403, refused.statusCode())
        assertTrue("error=\"insufficient_scope\"" in refused.challenge && "scope=\"notes notes:read notes:write\"" in refused.challenge, refused.challenge)
        assertTrue("written by ann" in call(good("scope" to "notes notes:read notes:write"), "write").body())
        // Also tools that come and go while the server serves.
        server.addTool("purge", "Deletes", scopes = listOf("admin")) { text("purged") }
        assertEquals(403, call(good(), "purge").statusCode())
        server.addTool("purge", "Deletes") { text("purged") }
        assertTrue("purged" in call(good(), "purge").body())
        val wrong = runCatching { server.addTool("odd", "", scopes = listOf("two words")) { text("") } }.exceptionOrNull()
        assertTrue(wrong is McpUsageException && "scopes" in wrong.message.orEmpty(), wrong.toString())
    }

    @Test
    fun `a client signs in, and asks for more where a tool needs it`() = guarded {
        OAuth("Test", RedirectCallback("com.example.app:/callback") { issuer.browse(it) }).use { auth ->
            val client = connected(StreamableHttpClientTransport(url, auth = auth))
            assertTrue("ann ann registered true [notes] blue true" in client.callTool("who", emptyMap()).words)
            assertEquals("written by ann", client.callTool("write", emptyMap()).words)
            client.close()
        }
        assertEquals(listOf("notes", "notes notes:read notes:write"), issuer.agreed.toList())
    }

    @Test
    fun `the issuer is asked about tokens that only it can read`() = guarded({
        ResourceServer(url, issuer.url, audiences = listOf(TokenIssuer.OPAQUE_AUDIENCE), introspection = TokenIntrospection("server", "s3cret"))
    }) {
        assertTrue("ann ann editor" in call("opaque").body())
        assertEquals(401, call("revoked").statusCode())
    }

    @Test
    fun `a scope may stand for others`() = guarded({ ResourceServer(url, issuer.url, impliedScopes = mapOf("admin" to listOf("notes:read", "notes:write"))) }) {
        assertTrue("written" in call(good("scope" to "admin"), "write").body())
    }

    @Test
    fun `a program verifies tokens itself, and the engine judges what they say`() = guarded({
        ResourceServer(url, issuer.url, verifier = { token ->
            when (token) {
                "ticket" -> VerifiedToken(issuer.claims(url))
                "elsewhere" -> VerifiedToken(issuer.claims("https://other.example/mcp"))
                "broken" -> error("the list of tickets cannot be read")
                else -> null
            }
        })
    }) {
        assertTrue("ann ann editor" in call("ticket").body())
        assertEquals(listOf(401, 401, 503), listOf("elsewhere", "stolen", "broken").map { call(it).statusCode() })
        assertTrue(errors.single().startsWith("internal token.verify"), errors.toString())
        assertEquals(emptyList<String>(), issuer.seen.toList())
    }

    @Test
    fun `options that cannot be are named`() = TokenIssuer().use { issuer ->
        val wrong = mapOf(
            "resource" to ResourceServer("nonsense", issuer.url),
            "verify" to ResourceServer("https://mcp.example.com/mcp", issuer.url),
        )
        for ((named, auth) in wrong) {
            val server = Server(Implementation("guarded", "1"), ServerOptions(ServerCapabilities()))
            val more = if (named == "verify") objectOf("verify" to true) else EmptyJsonObject
            val refused = runCatching { server.serveHttp(http = more, auth = auth) }.exceptionOrNull()
            assertTrue(refused is McpUsageException && named in refused.message.orEmpty(), "$named: $refused")
            bounded { server.close() }
        }
    }
}
