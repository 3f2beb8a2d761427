package examples.phone

import dev.mcpbolt.Client
import dev.mcpbolt.ClientOptions
import dev.mcpbolt.Implementation
import dev.mcpbolt.McpException
import dev.mcpbolt.OAuth
import dev.mcpbolt.ProtocolPolicy
import dev.mcpbolt.RequestOptions
import dev.mcpbolt.StreamableHttpClientTransport
import dev.mcpbolt.TextContent
import dev.mcpbolt.UnauthorizedException
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Job
import kotlinx.coroutines.flow.MutableStateFlow
import kotlinx.coroutines.flow.StateFlow
import kotlinx.coroutines.flow.update
import kotlinx.coroutines.launch
import kotlinx.coroutines.sync.Mutex
import kotlinx.coroutines.sync.withLock

// The model behind a screen of a phone app: a remote server that its user signs in at, a long call with
// progress, and an app that is sent to the background and comes back. Nothing here is Android's: a
// `ViewModel` hands in its `viewModelScope`, and forwards what its activity and the system tell it.

/**
 * What the screen shows.
 *
 * @property progress how much of a call is done, from 0 to 1; `null` while none is made.
 */
data class Screen(val progress: Double? = null, val forecast: String? = null, val problem: String? = null)

/**
 * @param auth how the user signs in: a `RedirectCallback` that opens a custom tab, and a `Keychain` over
 * the system's. One for the whole app, so that all screens share its tokens.
 */
class ForecastModel(private val scope: CoroutineScope, private val url: String, private val auth: OAuth) {
    private val shown = MutableStateFlow(Screen())
    val screen: StateFlow<Screen> = shown

    private val lock = Mutex()
    private var open: Client? = null
    private var call: Job? = null

    /** The button. A second tap gives the first call up, and the server stops working on it. */
    fun forecast(city: String) {
        call?.cancel()
        call = scope.launch {
            shown.value = Screen(progress = 0.0)
            try {
                val progress = RequestOptions(onProgress = { step ->
                    shown.update { it.copy(progress = step.progress / (step.total ?: 1.0)) }
                })
                val result = client().callTool("forecast", mapOf("city" to city), options = progress)
                shown.value = Screen(forecast = result.content.filterIsInstance<TextContent>().joinToString { it.text })
            } catch (refused: UnauthorizedException) {
                shown.value = Screen(problem = "Please sign in: ${refused.message}")
            } catch (failed: McpException) {
                shown.value = Screen(problem = failed.message)
            }
        }
    }

    /**
     * The app is in the background (`onStop`), or the network is another one (`onAvailable` of a
     * `ConnectivityManager`): sockets may be dead without a word. Nothing is lost by closing them: the
     * tokens are in the keychain, and the next call connects.
     */
    fun suspended() {
        call?.cancel()
        shown.update { it.copy(progress = null) }
        scope.launch { lock.withLock { open?.close().also { open = null } } }
    }

    /** The connection, opened when it is needed first; the browser is shown if there is no token yet. */
    private suspend fun client(): Client = lock.withLock {
        open?.takeIf { it.session.isOpen } ?: Client(Implementation("forecast-app", "1.0.0"), ClientOptions(protocol = ProtocolPolicy.Auto)).also {
            it.connect(StreamableHttpClientTransport(url, auth = auth))
            open = it
        }
    }
}
