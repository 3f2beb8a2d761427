package dev.mcpbolt

import dev.mcpbolt.engine.EngineClient

// The one transport that knows both sides. Must not know: what they say to each other.

/** A client's transport to a server in this process: no socket, no copy. */
public class InMemoryTransport(internal val server: Server) : OwnTransport() {
    internal override fun open(engine: EngineClient): ULong = server.host.let { it.living { engine.openMemory(it.engine) } }
}
