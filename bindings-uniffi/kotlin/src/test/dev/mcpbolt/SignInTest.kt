package dev.mcpbolt

import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.withTimeout
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertInstanceOf
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import java.nio.file.Files
import java.util.concurrent.ConcurrentHashMap
import kotlin.time.Duration.Companion.milliseconds

private const val REDIRECT_URI = "com.example.app:/callback"

/** A keychain in a map. */
private class TestKeychain : Keychain {
    val texts = ConcurrentHashMap<String, String>()

    override suspend fun load(key: String): String? = texts[key]

    override suspend fun save(key: String, value: String) {
        texts[key] = value
    }

    override suspend fun delete(key: String) {
        texts.remove(key)
    }
}

class SignInTest {
    private fun within(binds: Boolean = false, body: suspend CoroutineScope.(SignInWorld) -> Unit): Unit =
        SignInWorld(binds).use { world -> bounded { body(world) } }

    private fun SignInWorld.app(store: CredentialStore = MemoryStore, dpop: DpopKey? = null) =
        OAuth("Test", RedirectCallback(REDIRECT_URI, ::browse), store, dpop = dpop)

    private suspend fun SignInWorld.connect(auth: ClientAuth): Client = connected(StreamableHttpClientTransport(url, auth = auth))

    /** Why a client cannot connect. */
    private suspend fun SignInWorld.refusal(auth: OAuth): McpException =
        auth.use { runCatching { connect(it) }.exceptionOrNull() as McpException }

    @Test
    fun `an app shows the browser, keeps the credentials and signs out`() = within { world ->
        val kept = TestKeychain()
        world.app(kept).use { auth ->
            val client = world.connect(auth)
            assertEquals("done", client.callTool("any", emptyMap()).words)
            client.close()
        }
        val asked = world.seen.single { it.first == "/authorize" }.second
        assertEquals(listOf(REDIRECT_URI, "notes", world.url, "S256"), listOf("redirect_uri", "scope", "resource", "code_challenge_method").map(asked::get))
        assertTrue("canary-access" in kept.texts.getValue(world.url))
        // The program begins again: what it kept is enough.
        world.app(kept).use { auth ->
            world.connect(auth).close()
            assertEquals(1, world.count("/authorize"))
            auth.signOut(world.url)
            assertEquals(2, world.count("/revoke"))
            assertFalse("canary-access" in kept.texts.getValue(world.url))
            world.connect(auth).close()
            assertEquals(2, world.count("/authorize"))
        }
    }

    @Test
    fun `the browser comes back to a port of this machine, and files keep the credentials`() = within { world ->
        val folder = Files.createTempDirectory("sign-in").toString()
        repeat(2) {
            OAuth("Test", Loopback(path = "/done", openWith = { world.follow(it) }), FileStore(folder)).use { world.connect(it).close() }
        }
        val asked = world.seen.single { it.first == "/authorize" }.second
        assertTrue(Regex("http://127\\.0\\.0\\.1:\\d+/done").matches(asked.getValue("redirect_uri")), asked.toString())
    }

    @Test
    fun `clients of one sign-in ask the user once`() = within { world ->
        world.app().use { auth ->
            List(8) { async { world.connect(auth) } }.awaitAll().forEach { it.close() }
            assertEquals(1, world.count("/authorize"))
        }
    }

    @Test
    fun `a user who does not come back is an error, and the browser learns of it`() = within { world ->
        val gaveUp = world.refusal(OAuth("Test", RedirectCallback(REDIRECT_URI) { null }))
        assertTrue(gaveUp is UnauthorizedException && "given up" in gaveUp.message.orEmpty(), gaveUp.toString())
        val broken = world.refusal(OAuth("Test", RedirectCallback(REDIRECT_URI) { error("no window") }))
        assertTrue("no window" in broken.message.orEmpty(), broken.toString())
        val over = CompletableDeferred<Unit>()
        val away = RedirectCallback(REDIRECT_URI) {
            try {
                awaitCancellation()
            } finally {
                over.complete(Unit)
            }
        }
        val late = world.refusal(OAuth("Test", away, browserTimeout = 50.milliseconds))
        assertTrue("given up" in late.message.orEmpty(), late.toString())
        soon { over.await() }
    }

    @Test
    fun `a callback whose own work was cancelled is a user who gave up`() = within { world ->
        val screen = CompletableDeferred<String>().apply { cancel() }
        for (visit in listOf<suspend (String) -> String?>({ screen.await() }, { withTimeout(1) { awaitCancellation() } })) {
            val gone = world.refusal(OAuth("Test", RedirectCallback(REDIRECT_URI, visit)))
            assertTrue(gone is UnauthorizedException && "given up" in gone.message.orEmpty(), gone.toString())
        }
    }

    @Test
    fun `a program gets a token for itself`() = within { world ->
        val client = ClientInformation("nightly", world.url.removeSuffix("/mcp"), "known")
        OAuth("Test", clients = listOf(client), grant = GrantFlow.ClientCredentials).use { world.connect(it).close() }
        assertEquals(listOf("/token"), world.seen.map { it.first })
        val wrong = world.refusal(OAuth("Test", clients = listOf(ClientInformation("nightly", "https://a.example")), grant = GrantFlow.ClientCredentials))
        assertTrue("known" !in wrong.toString(), wrong.toString())
    }

    @Test
    fun `a program that has a token shows it`() = within { world ->
        world.connect(BearerToken(world.issue())).close()
        val refused = runCatching { world.connect(BearerToken("canary")) }.exceptionOrNull()
        assertInstanceOf(UnauthorizedException::class.java, refused)
        assertFalse("canary" in refused.toString())
        assertEquals(0, world.seen.size)
    }

    @Test
    fun `tokens are bound to a key, which the program keeps`() = within(binds = true) { world ->
        val (kept, key) = TestKeychain() to DpopKey()
        // The program begins again: it has the tokens and the key.
        repeat(2) { world.app(kept, DpopKey(key.pkcs8)).use { world.connect(it).close() } }
        assertEquals(1, world.count("/authorize"))
        assertEquals(setOf(key.thumbprint), world.proofs.map(::signer).toSet())
        val (ofTokens, forTokens) = world.proofs.partition(world::isForToken)
        assertEquals(setOf(world.url), ofTokens.map { claims(it).tag("htu") }.toSet())
        assertEquals(listOf("${world.url.removeSuffix("/mcp")}/token"), forTokens.map { claims(it).tag("htu") })

        val unbound = world.refusal(world.app())
        assertTrue("invalid_dpop_proof" in unbound.message.orEmpty(), unbound.toString())
    }

    @Test
    fun `tokens are bound to no key unless that is asked for, and the server does so`() = within { world ->
        world.app().use { world.connect(it).close() }
        assertEquals(0, world.proofs.size)
        world.app(dpop = DpopKey()).use { world.connect(it).close() }
        assertEquals(listOf("/token"), world.proofs.map { claims(it).tag("htu").orEmpty().substringAfterLast(':').dropWhile { it != '/' } })
        val wrong = runCatching { DpopKey("no key".toByteArray()) }.exceptionOrNull()
        assertTrue(wrong is McpUsageException && "PKCS#8" in wrong.message.orEmpty(), wrong.toString())
    }

    @Test
    fun `a configuration says how servers are signed in at`() = within { world ->
        world.app().use { auth ->
            val host = Host(Implementation("test", "1"), auth = auth)
            val rows = objectOf("users" to objectOf("url" to world.url, "auth" to "oauth"), "own" to objectOf("url" to world.url, "auth" to world.issue()))
            host.connect(objectOf("mcpServers" to rows))
            assertEquals(setOf("users", "own"), host.sessions.keys, host.failures.toString())
            assertEquals(1, world.count("/authorize"))
            host.close()
        }
    }

    @Test
    fun `what is wrong is named`() = within { world ->
        val options = mapOf("loud" to OAuth("Test", engine = objectOf("loud" to true)), "slash" to OAuth("Test", Loopback(path = "done")))
        for ((named, auth) in options) {
            val refused = world.refusal(auth)
            assertTrue(refused is McpUsageException && named in refused.message.orEmpty(), refused.toString())
        }
        val closed = world.app().apply { close() }
        assertInstanceOf(McpClosedException::class.java, world.refusal(closed))
        assertInstanceOf(McpClosedException::class.java, runCatching { closed.signOut(world.url) }.exceptionOrNull())
    }
}
