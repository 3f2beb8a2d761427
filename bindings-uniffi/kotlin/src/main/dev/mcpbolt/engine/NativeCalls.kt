package dev.mcpbolt

import com.sun.jna.JNIEnv
import com.sun.jna.Native
import dev.mcpbolt.engine.EngineDelivery
import dev.mcpbolt.engine.EngineInbox
import kotlinx.coroutines.asCoroutineDispatcher
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.Executor

// The calls that every message makes, without UniFFI and JNA between. Owns: the native methods, text on its way through
// them, the thread that waits in them. Must not know: what is said in them.

/**
 * Native methods of the engine's library. An inbox crosses as its number, which leads nowhere once the inbox is
 * destroyed: then they throw [IllegalStateException]. Where the engine refuses they return [REFUSED] and nothing was
 * done. Text is UTF-8.
 */
internal object NativeCalls {
    const val REFUSED = -1

    /** Whether there is an inbox with this number. */
    @JvmStatic external fun knows(inbox: Long): Boolean

    @JvmStatic external fun take(inbox: Long, maxItems: Int, maxBytes: Int): ByteArray?

    @JvmStatic external fun complete(inbox: Long, outcomes: ByteArray): Int

    @JvmStatic external fun send(inbox: Long, target: Long, method: ByteArray, params: ByteArray?): Int

    @JvmStatic external fun request(inbox: Long, target: Long, method: ByteArray, params: ByteArray?, plan: ByteArray?): Long

    @JvmStatic external fun isOpen(inbox: Long): Boolean

    @JvmStatic external fun makeLoop(): Long

    /** Has [next] of the loop tell when the inbox has something to take, or is closed. */
    @JvmStatic external fun watch(loop: Long, inbox: Long)

    /** The number of an inbox to take from, or 0 after [nudge]. Waits for it. */
    @JvmStatic external fun next(loop: Long): Long

    @JvmStatic external fun nudge(loop: Long)

    /** Panics, for tests. */
    @JvmStatic external fun panic()
}

/** What binds the methods above: JNA finds it by its name, in the library that UniFFI has. */
private object Binder {
    @Suppress("FunctionName") // its name in the library
    external fun mcpbolt_register_native_calls(env: JNIEnv): Int
}

/**
 * Binds the native methods. Returns why they cannot be used, or `null`.
 *
 * Through JNA rather than `System.load`, because JNA unpacks the library from the jar and removes the file, and so
 * that there is one copy of it.
 */
internal fun bindNativeCalls(library: String = System.getProperty("uniffi.component.mcpbolt.libraryOverride") ?: "mcpbolt_uniffi"): String? = try {
    Native.register(Binder::class.java, library)
    when {
        Binder.mcpbolt_register_native_calls(JNIEnv.CURRENT) == 0 -> "the class of the native methods is not the library's"
        !isUniffisCopy() -> "UniFFI has another copy of the library"
        else -> null
    }
} catch (missing: LinkageError) {
    missing.message ?: "the library has no native methods"
}

/** Whether the native methods know an inbox that UniFFI has made. */
private fun isUniffisCopy(): Boolean {
    val inbox = EngineInbox()
    try {
        return NativeCalls.knows(inbox.number().toLong())
    } finally {
        inbox.destroy()
    }
}

/** By native methods, once they are bound. */
internal class ByNativeCalls : Way {
    private val waiter = Waiter()

    override val loop = waiter.asCoroutineDispatcher()

    override fun to(inbox: EngineInbox): InboxCalls = NativeInboxCalls(inbox, waiter)
}

private class NativeInboxCalls(private val inbox: EngineInbox, private val waiter: Waiter) : InboxCalls {
    private val number = inbox.number().toLong()

    override fun follow(drain: () -> Unit, end: () -> Unit): Unit = waiter.follow(number) {
        drain()
        // After taking, since what is closed before that wakes nobody.
        val open = NativeCalls.isOpen(number)
        if (!open) {
            drain()
            end()
        }
        open
    }

    override fun take(maxItems: UInt, maxBytes: UInt): String? =
        NativeCalls.take(number, maxItems.toInt(), maxBytes.toInt())?.let { String(it) }

    // Errors have one way: what is refused here is asked again through UniFFI, which has the reason.

    override fun complete(outcomes: String) {
        if (NativeCalls.complete(number, utf8(outcomes)) == NativeCalls.REFUSED) inbox.complete(outcomes)
    }

    override fun send(target: ULong, method: String, params: String?): EngineDelivery =
        when (val sent = NativeCalls.send(number, target.toLong(), utf8(method), params?.let(::utf8))) {
            NativeCalls.REFUSED -> inbox.send(target, method, params)
            else -> EngineDelivery.entries[sent]
        }

    override fun request(target: ULong, method: String, params: String?, plan: String?): ULong =
        when (val asked = NativeCalls.request(number, target.toLong(), utf8(method), params?.let(::utf8), plan?.let(::utf8))) {
            NativeCalls.REFUSED.toLong() -> inbox.requestWith(target, method, params, plan)
            else -> asked.toULong()
        }
}

/** A text as it crosses. Half a character is refused, as by UniFFI: alone, `toByteArray` makes a question mark of it. */
private fun utf8(text: String): ByteArray =
    if (text.any(Char::isSurrogate)) text.encodeToByteArray(throwOnInvalidSequence = true) else text.toByteArray()

/** A thread that waits in the engine for the next inbox that has something, and does what it is given. */
private class Waiter : Executor {
    private val number = NativeCalls.makeLoop()
    private val given = ConcurrentLinkedQueue<Runnable>()
    private val followed = ConcurrentHashMap<Long, () -> Boolean>()
    private val thread = Thread(::run, "mcpbolt").apply {
        isDaemon = true
        start()
    }

    /** Calls [woken] on this thread when the inbox has something, until it returns `false`. */
    fun follow(inbox: Long, woken: () -> Boolean) {
        followed[inbox] = woken
        NativeCalls.watch(number, inbox)
    }

    override fun execute(task: Runnable) {
        given.add(task)
        if (Thread.currentThread() !== thread) NativeCalls.nudge(number)
    }

    private fun run() {
        while (true) {
            generateSequence { given.poll() }.forEach { contained(it::run) }
            val due = NativeCalls.next(number)
            contained { if (followed[due]?.invoke() == false) followed.remove(due) }
        }
    }

    /** What throws is shown as that of any thread is, and this one goes on. */
    private fun contained(body: () -> Unit) {
        val here = Thread.currentThread()
        runCatching(body).onFailure { here.uncaughtExceptionHandler.uncaughtException(here, it) }
    }
}
