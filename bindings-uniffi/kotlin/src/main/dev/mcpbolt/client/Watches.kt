package dev.mcpbolt

import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.async
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.withTimeoutOrNull
import java.util.concurrent.ConcurrentHashMap
import kotlin.time.Duration

// Resources that a client watches on a modern server, where each has a stream of its own. Owns: that who
// asks for one learns whether the server agreed, and that no stream stays that nobody wants. Must not
// know: how a stream is opened; where its notifications go.

/**
 * What is watched, by URI.
 *
 * @param scope ends all streams when it ends.
 */
internal class Watches(private val scope: CoroutineScope) {
    private val all = ConcurrentHashMap<String, Watch>()

    /** One stream: [agreed] is completed when the server has agreed, or with why it never will. */
    private class Watch(val agreed: CompletableDeferred<Unit>, val stream: Deferred<Unit>) {
        /** The resource is watched by another stream now. */
        fun replaced() {
            agreed.complete(Unit)
            stream.cancel()
        }
    }

    /**
     * Watches a resource; returns when the server has agreed. A stream that it had before ends then, and
     * not earlier, so that no change is missed.
     *
     * @param patience how long the server may take to agree.
     * @param hear is given the notifications of the stream after that.
     */
    @Suppress("TooGenericExceptionCaught")
    suspend fun add(uri: String, patience: Duration, stream: Flow<Notification>, hear: (Notification) -> Unit) {
        val mine = watch(uri, stream, hear)
        val before = all.put(uri, mine)
        mine.stream.start()
        try {
            withTimeoutOrNull(patience) { mine.agreed.await() }
                ?: throw failure("timeout", "the server has not agreed to the subscription to $uri in $patience")
        } catch (thrown: Throwable) {
            mine.stream.cancel()
            // The stream before goes on, unless the resource was given up meanwhile.
            val kept = if (before == null) all.remove(uri, mine) else all.replace(uri, mine, before)
            if (!kept) before?.stream?.cancel()
            throw thrown
        }
        before?.replaced()
    }

    /** Watches a resource no longer; who still waits for the server to agree learns that it is over. */
    fun remove(uri: String) {
        all.remove(uri)?.stream?.cancel()
    }

    private fun watch(uri: String, stream: Flow<Notification>, hear: (Notification) -> Unit): Watch {
        val agreed = CompletableDeferred<Unit>()
        // Not launched: why it failed is for those who wait for `agreed`, and for nobody else.
        val taking = scope.async(start = CoroutineStart.LAZY) {
            stream.collect { if (it is SubscriptionsAcknowledgedNotification) agreed.complete(Unit) else hear(it) }
        }
        taking.invokeOnCompletion { why ->
            val refused = why.takeUnless { it is CancellationException }
            agreed.completeExceptionally(refused ?: failure("closed", "the subscription to $uri ended before the server agreed to it"))
        }
        return Watch(agreed, taking)
    }
}
