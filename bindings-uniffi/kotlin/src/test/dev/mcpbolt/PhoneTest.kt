package dev.mcpbolt

import examples.phone.ForecastModel
import examples.phone.Screen
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancel
import kotlinx.coroutines.flow.first
import kotlinx.serialization.json.jsonPrimitive
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import java.net.ServerSocket
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.atomic.AtomicInteger

/** The model of examples/kotlin/phone, at a server that wants tokens. */
class PhoneTest {
    private val secrets = ConcurrentHashMap<String, String>()
    private val visits = AtomicInteger()
    private val cancelled = CopyOnWriteArrayList<String>()
    private val half = CompletableDeferred<Unit>()

    private fun keychain() = object : Keychain {
        override suspend fun load(key: String): String? = secrets[key]

        override suspend fun save(key: String, value: String) {
            secrets[key] = value
        }

        override suspend fun delete(key: String) {
            secrets.remove(key)
        }
    }

    private fun weather() = Server(Implementation("weather", "1"), ServerOptions(ServerCapabilities(tools = ServerCapabilities.Tools()))) {
        addTool("forecast", "The weather of a city") { request ->
            val city = request.arguments!!.getValue("city").jsonPrimitive.content
            reportProgress(1.0, total = 2.0)
            if (city == "Rome") half.await()
            if (city == "Oslo") {
                try {
                    awaitCancellation()
                } finally {
                    cancelled += city
                }
            }
            text("Sun in $city")
        }
    }

    private fun app(body: suspend (ForecastModel, HttpListener) -> Unit): Unit = TokenIssuer().use { issuer ->
        bounded {
            val port = ServerSocket(0).use { it.localPort }
            val url = "http://127.0.0.1:$port/mcp"
            val server = weather()
            val listener = server.serveHttp(port = port, auth = ResourceServer(url, issuer.url, scopes = listOf("notes")))
            val browser = RedirectCallback("com.example.app:/callback") { page ->
                visits.incrementAndGet()
                issuer.browse(page)
            }
            val screen = CoroutineScope(Dispatchers.Default + Job())
            OAuth("Forecasts", browser, keychain()).use { auth ->
                body(ForecastModel(screen, url, auth), listener)
            }
            screen.cancel()
            server.close()
        }
    }

    private suspend fun ForecastModel.until(what: (Screen) -> Boolean): Screen = soon { screen.first(what) }

    @Test
    fun `a user signs in once, sees progress, and the app comes back from the background`() = app { model, _ ->
        model.forecast("Rome")
        assertEquals(0.5, model.until { it.progress == 0.5 }.progress)
        half.complete(Unit)
        assertEquals(Screen(forecast = "Sun in Rome"), model.until { it.forecast != null })

        model.forecast("Oslo")
        model.until { it.progress == 0.5 }
        model.suspended()
        model.until { it.progress == null }
        model.forecast("Pisa")
        assertEquals(Screen(forecast = "Sun in Pisa"), model.until { it.forecast != null })
        soon { while (cancelled.isEmpty()) kotlinx.coroutines.yield() }
        assertEquals(listOf("Oslo"), cancelled)
        assertEquals(1, visits.get())
        assertTrue(secrets.isNotEmpty())
    }

    @Test
    fun `a server that has gone is a problem on the screen, and no crash`() = app { model, listener ->
        model.forecast("Pisa")
        model.until { it.forecast != null }
        listener.close()
        model.forecast("Pisa")
        assertTrue(model.until { it.problem != null }.problem!!.isNotEmpty())
    }
}
