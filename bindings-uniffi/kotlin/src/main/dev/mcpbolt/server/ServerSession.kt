package dev.mcpbolt

import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.launch

// One connection of a server, from its opening to its end. Must not know: handlers.

/** One connection of a server. */
public class ServerSession internal constructor(driver: Driver, connection: ULong) : ClientConnection(driver, connection, connection) {
    private val over = CompletableDeferred<Unit>()
    private val endings by lazy { Lane(driver.busy, driver::failed) }
    internal var carry: Carry? = null
    internal var transport: Transport? = null

    /**
     * Calls [block] when the connection is closed, or now if it is. The block may take long,
     * because nothing waits for it.
     */
    public fun onClose(block: () -> Unit) {
        over.invokeOnCompletion { endings.run(block) }
    }

    /** Waits until the connection is closed. */
    public suspend fun awaitClose(): Unit = over.await()

    /** Closes the connection. */
    public suspend fun close() {
        driver.inbox.closeConnection(connection)
        over.await()
    }

    /** The last messages are sent, then the transport ends. */
    internal suspend fun closeTransport() {
        carry?.end()
        runCatching { transport?.close() }
    }

    /** Ends the transport too. It counts as over once its last messages are sent: what follows may end all that would send them. */
    internal fun finish(gone: () -> Unit) {
        // Not where handlers run: one of them may be what waits for the end.
        driver.scope.launch(Dispatchers.Default) { carry?.end() }.invokeOnCompletion {
            gone()
            if (ended() && transport != null) driver.scope.launch { closeTransport() }
        }
    }

    /** It is over; `false` if it was. */
    internal fun ended(): Boolean = over.complete(Unit)
}
