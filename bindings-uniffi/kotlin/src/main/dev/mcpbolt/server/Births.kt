package dev.mcpbolt

// What a function of the program makes. Must not know: what becomes of it.

/** Tells what a function made from what it only returned. */
internal object Births {
    private val watched = ThreadLocal<MutableList<Any>?>()

    /** Something is made that may have to be told apart. */
    fun tell(made: Any) {
        watched.get()?.add(made)
    }

    /** What a function returns, and whether it has made it. */
    fun <T : Any> of(make: () -> T): Pair<T, Boolean> {
        val outer = watched.get()
        val born = ArrayList<Any>()
        watched.set(born)
        val made = try {
            make()
        } finally {
            watched.set(outer)
        }
        return made to born.any { it === made }
    }
}
