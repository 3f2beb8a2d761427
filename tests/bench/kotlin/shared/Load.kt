package bench

import com.sun.management.OperatingSystemMXBean
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.coroutineScope
import java.io.File
import java.lang.management.ManagementFactory
import java.util.concurrent.atomic.AtomicLong

// The loop in which client contestants make their calls, and what they print: the same as the
// Rust contestants'. So many workers, each one call at a time, every reply compared.

/** Makes calls with [call], which sends a text and gives back the one that came; prints the report. */
suspend fun run(given: ClientSettings, call: suspend (String) -> String) {
    load(given.inFlight, given.warmUp, call)
    val system = ManagementFactory.getOperatingSystemMXBean() as OperatingSystemMXBean
    val (spent, started) = system.processCpuTime to System.nanoTime()
    val latencies = load(given.inFlight, given.seconds, call)
    val seconds = (System.nanoTime() - started) / 1e9
    val cpu = (system.processCpuTime - spent) / 1e9
    latencies.sort()
    fun at(share: Double) = latencies[((latencies.size - 1) * share).toInt()] / 1e3
    println("""{"calls":${latencies.size},"seconds":$seconds,"p50":${at(0.5)},"p99":${at(0.99)},"cpu":$cpu,"memory":${peakMemory()}}""")
}

/** Latencies in nanoseconds of all calls that began within so many seconds. */
private suspend fun load(inFlight: Int, seconds: Double, call: suspend (String) -> String): LongArray = coroutineScope {
    val end = System.nanoTime() + (seconds * 1e9).toLong()
    val last = AtomicLong()
    val workers = List(inFlight) {
        async(Dispatchers.Default) {
            val latencies = ArrayList<Long>()
            while (true) {
                val sent = System.nanoTime()
                if (sent >= end) break
                val text = "call ${last.incrementAndGet()} says: the quick brown fox"
                val came = call(text)
                check(came == text) { "sent $text, got $came" }
                latencies += System.nanoTime() - sent
            }
            latencies
        }
    }
    workers.awaitAll().flatten().toLongArray()
}

/** Largest resident memory so far, in bytes; 0 where the system does not say. */
private fun peakMemory(): Long {
    val lines = runCatching { File("/proc/self/status").readLines() }.getOrDefault(emptyList())
    val kib = lines.firstOrNull { it.startsWith("VmHWM:") }?.filter { it.isDigit() }?.toLong() ?: 0
    return kib * 1024
}
