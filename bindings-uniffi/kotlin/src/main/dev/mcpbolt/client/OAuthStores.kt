package dev.mcpbolt

import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonPrimitive

// Where tokens and registrations are kept. Must not know: what is in them.

/** Where tokens and registrations are kept: [MemoryStore], [FileStore], or a [Keychain]. */
public sealed interface CredentialStore

/** In memory, as long as the [OAuth] object is there: users sign in each time the program starts. */
public object MemoryStore : CredentialStore

/**
 * In files, one for each server, in plain text. Only the user can read them. Programs may
 * share the folder: one refreshes, all use the new token.
 *
 * @param folder the folder, made and closed to other users when it is needed; on Windows one that
 *   is there already has to be the user's own.
 */
public class FileStore(internal val folder: String) : CredentialStore

/** A keychain of the system's, or any other store of the program's. It is for one [OAuth] at a time. */
public interface Keychain : CredentialStore {
    /** Returns what was saved last under a key, or `null`. The key is the URL of a server. */
    public suspend fun load(key: String): String?

    /** Saves a text, in place of what was there. It holds secrets; nobody else may read it. */
    public suspend fun save(key: String, value: String)

    /** Deletes what is there, if anything is. */
    public suspend fun delete(key: String)
}

internal val CredentialStore.json: JsonElement
    get() = when (this) {
        MemoryStore -> JsonPrimitive("memory")
        is FileStore -> objectOf("folder" to folder)
        is Keychain -> JsonPrimitive("host")
    }
