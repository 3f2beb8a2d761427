package dev.mcpbolt

// Which servers a function of the program makes. Must not know: what becomes of them.

/** Tells a server that was made for one session from one that the program keeps. */
internal object Births {
    private val watched = ThreadLocal<MutableList<Server>?>()

    /** A server is made. */
    fun tell(server: Server) {
        watched.get()?.add(server)
    }

    /** The server that a function returns, and whether it has made it. */
    fun of(make: () -> Server): Pair<Server, Boolean> {
        val outer = watched.get()
        val born = ArrayList<Server>()
        watched.set(born)
        val server = try {
            make()
        } finally {
            watched.set(outer)
        }
        return server to born.any { it === server }
    }
}
