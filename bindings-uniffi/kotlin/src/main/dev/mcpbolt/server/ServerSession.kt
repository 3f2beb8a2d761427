package dev.mcpbolt

import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.launch
import kotlinx.serialization.json.JsonObject
import java.util.concurrent.ConcurrentHashMap

// One connection of a server, from its opening to its end, with the handlers that are its own. Must not
// know: the server's handlers.

/** One connection of a server. */
public class ServerSession internal constructor(driver: Driver, connection: ULong, private val handled: (method: String) -> Unit) :
    ClientConnection(driver, connection, connection) {
    private val over = CompletableDeferred<Unit>()
    private val endings by lazy { Lane(driver.busy, driver::failed) }
    private val begun = CompletableDeferred<Unit>()

    /** Handlers of this connection, in place of the server's. */
    internal val handlers = ConcurrentHashMap<String, suspend ClientConnection.(JsonObject?) -> JsonObject>()
    private val notificationHandlers = ConcurrentHashMap<String, NotificationHandler>()
    internal var carry: Carry? = null

    /** What the connection goes over, as it was given to [Server.createSession]. */
    public var transport: Transport? = null
        internal set

    /** Called with notifications that have no handler on this connection. `null`, the default: nothing is. */
    @Volatile public var fallbackNotificationHandler: (suspend (Notification) -> Unit)? = null

    /**
     * Sets the handler for requests of a method on this connection: of the protocol, in place of what the
     * server would answer, or of the program's own, as [CustomRequest]s.
     *
     * @param T the type of the method's requests.
     * @param handler returns the result, or `null` for an empty one.
     */
    public inline fun <reified T : Request<*>> setRequestHandler(
        method: Method,
        noinline handler: suspend (request: T, extra: RequestHandlerExtra) -> RequestResult?,
    ): Unit = setTypedHandler(method, T::class.java, handler)

    @PublishedApi
    internal fun <T : Request<*>> setTypedHandler(method: Method, type: Class<T>, handler: suspend (T, RequestHandlerExtra) -> RequestResult?) {
        handlers[method.value] = typedHandler(method, type, handler)
        handled(method.value)
    }

    /** Removes the handler for requests of a method; the server answers them again. */
    public fun removeRequestHandler(method: Method) {
        handlers.remove(method.value)
    }

    /** Sets the handler for notifications of a method on this connection, beside the server's. */
    @Suppress("UNCHECKED_CAST")
    public fun <T : Notification> setNotificationHandler(method: Method, handler: (notification: T) -> Deferred<Unit>) {
        notificationHandlers[method.value] = { handler(it as T).await() }
    }

    /** Removes the handler for notifications of a method. */
    public fun removeNotificationHandler(method: Method) {
        notificationHandlers.remove(method.value)
    }

    /** The handler of this connection for notifications of a method. */
    internal fun handlerOf(method: String): NotificationHandler? = notificationHandlers[method] ?: fallbackNotificationHandler

    /** Calls [block] when the client says that it has begun (`notifications/initialized`, until 2025-11-25), or now if it has. */
    public fun onInitialized(block: () -> Unit) {
        begun.invokeOnCompletion { endings.run(block) }
    }

    internal fun greeted() {
        begun.complete(Unit)
    }

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
        carry?.close()
    }

    /** Ends the transport too. It counts as over once its last messages are sent: what follows may end all that would send them. */
    internal fun finish(gone: () -> Unit) {
        // Not where handlers run: one of them may be what waits for the end.
        driver.scope.launch(Dispatchers.Default) { carry?.end() }.invokeOnCompletion {
            gone()
            if (ended() && carry != null) driver.scope.launch { closeTransport() }
        }
    }

    /** It is over; `false` if it was. */
    internal fun ended(): Boolean = over.complete(Unit)
}
