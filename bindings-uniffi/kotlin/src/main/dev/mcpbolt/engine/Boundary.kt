package dev.mcpbolt

import java.util.logging.Level
import java.util.logging.Logger

// Which way the calls of an inbox go. Owns: that it is found out once, and told. Must not know: the calls.

/** The way through the boundary for the calls that every message makes. */
internal object Boundary {
    /** The system property that, set to `uniffi`, keeps to UniFFI. It is read when the first inbox is made. */
    const val PROPERTY = "dev.mcpbolt.boundary"

    /** Native methods, or UniFFI where they cannot be bound, such as in a library that was built without them. */
    val way: Way = run {
        val why = if (System.getProperty(PROPERTY) == "uniffi") "$PROPERTY says so" else bindNativeCalls()
        val told = if (why == null) "native methods" else "UniFFI: $why"
        Logger.getLogger("dev.mcpbolt").log(Level.FINE, "messages cross by {0}", told)
        if (why == null) ByNativeCalls() else ByUniffi()
    }
}
