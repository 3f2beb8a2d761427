package bench

// What the contestants are told, each by its command line.

/** A server: where it listens, and whether it keeps sessions. */
class ServerSettings(words: Array<String>) {
    private val address = words.after("--http")
    val host: String = address.substringBeforeLast(':')
    val port: Int = address.substringAfterLast(':').toInt()
    val stateless: Boolean = "--stateless" in words
}

/** A client: its server, the era, and how long it warms up and measures. */
class ClientSettings(words: Array<String>) {
    val url: String = words.after("--url")
    val modern: Boolean = "--modern" in words
    val seconds: Double = words.after("--seconds").toDouble()

    /** Seconds of calls that are not counted: the JVM compiles what runs often. */
    val warmUp: Double = words.after("--warm-up").toDouble()
    val inFlight: Int = 64
}

/** What comes after a word. */
private fun Array<String>.after(word: String): String =
    getOrNull(indexOf(word).takeIf { it >= 0 }?.plus(1) ?: size) ?: error("$word is missing")
