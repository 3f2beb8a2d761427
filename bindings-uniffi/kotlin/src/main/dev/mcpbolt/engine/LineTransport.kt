package dev.mcpbolt

import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.launch
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeoutOrNull
import java.io.ByteArrayOutputStream
import java.io.IOException
import java.io.InputStream
import java.io.OutputStream
import java.util.concurrent.atomic.AtomicBoolean
import kotlin.time.Duration.Companion.seconds

// Messages as lines of streams that the program has opened: what stdio is to the engine, for programs
// that start processes themselves. Must not know: whose streams they are.

/** The longest line by default; the engine's own limit for lines. */
private const val LONGEST = 64 * 1024 * 1024
private const val BUFFER = 8192
private const val NEWLINE = '\n'.code.toByte()

/**
 * Carries one message in each line.
 *
 * @param complaints what a peer writes beside its messages, and what is done with each line of it:
 * whether it is an error to report, and whether it ends the connection.
 * @param longest bytes of a line; longer ones are passed over.
 */
@OptIn(kotlinx.coroutines.ExperimentalCoroutinesApi::class)
internal class LineTransport(
    private val input: InputStream,
    private val output: OutputStream,
    private val complaints: InputStream? = null,
    private val longest: Int = LONGEST,
    private val judge: (line: String) -> Complaint = { Complaint.None },
) : AbstractTransport() {
    /** What a line beside the messages means. */
    enum class Complaint { None, Error, End }

    // Reads block, for as long as nothing comes: not on the threads that everything else shares.
    private val scope = CoroutineScope(SupervisorJob() + Dispatchers.IO.limitedParallelism(READERS))
    private val begun = AtomicBoolean()
    private val closing = AtomicBoolean()
    private val over = AtomicBoolean()

    override suspend fun start() {
        if (!begun.compareAndSet(false, true)) throw failure("usage", "the transport was started already: make another for each connection")
        scope.launch { receive() }
        complaints?.let { scope.launch { listen(it) } }
    }

    override suspend fun send(message: JSONRPCMessage, options: TransportSendOptions?): Unit = withContext(Dispatchers.IO) {
        synchronized(output) {
            output.write(message.text.encodeToByteArray())
            output.write(NEWLINE.toInt())
            output.flush()
        }
    }

    override suspend fun close() {
        closing.set(true)
        // A read that waits may hold up the closing of its stream: it is not waited for longer than this.
        val closed = scope.launch(Dispatchers.IO) {
            runCatching { output.close() }
            runCatching { input.close() }
            runCatching { complaints?.close() }
        }
        withTimeoutOrNull(PATIENCE) { closed.join() }
        end()
    }

    private fun end() {
        if (over.compareAndSet(false, true)) ended()
    }

    @Suppress("TooGenericExceptionCaught")
    private suspend fun receive() {
        try {
            val lines = Lines(input, longest) { faulty(it) }
            while (true) {
                val line = lines.next() ?: break
                if (line.isNotBlank()) received(JSONRPCMessage(line))
            }
        } catch (cancelled: CancellationException) {
            throw cancelled
        } catch (thrown: Exception) {
            // Whoever closed it knows.
            if (!closing.get()) faulty(thrown)
        } finally {
            end()
        }
    }

    @Suppress("SwallowedException", "TooGenericExceptionCaught")
    private suspend fun listen(from: InputStream) {
        try {
            val lines = Lines(from, longest) { faulty(it) }
            while (true) {
                val line = lines.next() ?: break
                val judged = judge(line)
                if (judged != Complaint.None) faulty(IOException(line))
                if (judged == Complaint.End) close()
            }
        } catch (cancelled: CancellationException) {
            throw cancelled
        } catch (thrown: Exception) {
            // The connection may go on without.
            return
        }
    }

    private companion object {
        const val READERS = 2
        val PATIENCE = 1.seconds
    }
}

/** The lines of a stream. One that is too long is passed over and told to [tooLong]. */
private class Lines(private val input: InputStream, private val longest: Int, private val tooLong: (IOException) -> Unit) {
    private val buffer = ByteArray(BUFFER)
    private var at = 0
    private var end = 0

    /** The next line, without its end; `null` after the last. */
    fun next(): String? {
        val line = ByteArrayOutputStream()
        var dropped = false
        while (true) {
            if (at == end) {
                end = input.read(buffer)
                at = 0
                if (end <= 0) {
                    end = 0
                    return if (line.size() == 0 || dropped) null else line.toString(Charsets.UTF_8.name())
                }
            }
            var stop = at
            while (stop < end && buffer[stop] != NEWLINE) stop++
            if (!dropped) line.write(buffer, at, stop - at)
            if (line.size() > longest) {
                dropped = true
                line.reset()
                tooLong(IOException("a line of more than $longest bytes was passed over"))
            }
            at = minOf(stop + 1, end)
            if (stop < end) {
                if (!dropped) return line.toString(Charsets.UTF_8.name()).removeSuffix("\r")
                dropped = false
            }
        }
    }
}
