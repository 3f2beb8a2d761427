package dev.mcpbolt

import com.sun.jna.CallbackThreadInitializer
import com.sun.jna.Native
import dev.mcpbolt.engine.EngineDelivery
import dev.mcpbolt.engine.EngineInbox
import dev.mcpbolt.engine.uniffiRustFutureContinuationCallbackImpl
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.asCoroutineDispatcher
import kotlinx.coroutines.launch
import java.util.concurrent.Executors

// The calls that every message makes. Owns: what they are, and how they go through UniFFI. Must not know: what is said
// in them.

/** The calls of one inbox that every message makes. */
internal interface InboxCalls {
    /** Has [drain] run on the loop when something waits, and once more after the inbox is closed; then [end]. */
    fun follow(drain: () -> Unit, end: () -> Unit)

    /** Takes what waits, as JSON text; `null` or an empty array if nothing does. Never waits. */
    fun take(maxItems: UInt, maxBytes: UInt): String?

    /** Ends calls, as the verb of the inbox does. */
    fun complete(outcomes: String)

    /** Sends a notification, as the verb of the inbox does. */
    fun send(target: ULong, method: String, params: String?): EngineDelivery

    /** Asks the peer, as the verb of the inbox does. Returns the number of the answer. */
    fun request(target: ULong, method: String, params: String?, plan: String?): ULong
}

/** Which way these calls go, for all inboxes. */
internal interface Way {
    /** The one thread on which items are taken. */
    val loop: CoroutineDispatcher

    /** The calls of an inbox. */
    fun to(inbox: EngineInbox): InboxCalls
}

/** Through UniFFI and JNA, as all other calls go. */
internal class ByUniffi : Way {
    init {
        // Keeps a thread of the engine that reports `ready` attached to the JVM, because
        // attaching costs more than the call.
        Native.setCallbackThreadInitializer(uniffiRustFutureContinuationCallbackImpl, CallbackThreadInitializer(true, false, "mcpbolt engine"))
    }

    override val loop = Executors.newSingleThreadExecutor { Thread(it, "mcpbolt").apply { isDaemon = true } }.asCoroutineDispatcher()

    override fun to(inbox: EngineInbox): InboxCalls = UniffiCalls(inbox, loop)
}

/** The verbs of the inbox, and its `ready`. */
internal class UniffiCalls(private val inbox: EngineInbox, private val loop: CoroutineDispatcher) : InboxCalls {
    override fun follow(drain: () -> Unit, end: () -> Unit) {
        CoroutineScope(loop).launch {
            while (inbox.ready()) drain()
            drain()
            end()
        }
    }

    override fun take(maxItems: UInt, maxBytes: UInt): String = inbox.take(maxItems, maxBytes)

    override fun complete(outcomes: String) {
        inbox.complete(outcomes)
    }

    override fun send(target: ULong, method: String, params: String?): EngineDelivery = inbox.send(target, method, params)

    override fun request(target: ULong, method: String, params: String?, plan: String?): ULong =
        inbox.requestWith(target, method, params, plan)
}
