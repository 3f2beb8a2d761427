package examples.notes

import dev.mcpbolt.ToolException
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.withContext
import java.nio.file.Files
import java.nio.file.InvalidPathException
import java.nio.file.LinkOption.NOFOLLOW_LINKS
import java.nio.file.NoSuchFileException
import java.nio.file.Path
import kotlin.streams.toList

// The folder of NotesServer.kt: names in, text out, and no way past its edge.

// Longest name and longest note, in bytes.
private const val MAX_NAME = 100
private const val MAX_NOTE = 1 shl 20

/** Letters, digits and a few signs; no dot in front, no dot or blank at the end. */
private val NAME = Regex("""[\p{L}\p{N}_-](?:[\p{L}\p{N} ._-]*[\p{L}\p{N}_-])?""")

/** There is no such note, or cannot be one. */
internal class NoNote(message: String) : ToolException(message)

private fun missing(name: String): Nothing = throw NoNote("there is no note '$name'")

/** Uses a folder; it is made if it is not there. */
internal class Folder(place: Path) {
    val path: Path = Files.createDirectories(place).toRealPath()

    /** Names of all notes, sorted. */
    fun names(): List<String> {
        val files = Files.list(path).use { all -> all.filter { Files.isRegularFile(it, NOFOLLOW_LINKS) }.toList() }
        return files.map { it.fileName.toString() }.filter(NAME::matches).sorted()
    }

    /** The text of a note. */
    suspend fun read(name: String): String = onDisk {
        try {
            Files.readString(file(name))
        } catch (@Suppress("SwallowedException") gone: NoSuchFileException) {
            missing(name)
        }
    }

    /** Writes a note; whether it is new. */
    suspend fun write(name: String, text: String): Boolean = onDisk {
        if (text.encodeToByteArray().size > MAX_NOTE) throw ToolException("a note has at most $MAX_NOTE bytes")
        val file = file(name)
        val isNew = Files.notExists(file)
        Files.writeString(file, text)
        isNew
    }

    /** Fails if the note is not there. */
    fun expect(name: String) {
        if (Files.notExists(file(name))) missing(name)
    }

    suspend fun delete(name: String): Unit = onDisk { Files.delete(file(name)) }

    private suspend fun <T> onDisk(work: () -> T): T = withContext(Dispatchers.IO) { work() }

    /** The file of a note: one of the folder itself, and no link out of it. Fails for names that lead, or might lead, somewhere else. */
    private fun file(name: String): Path {
        val file = if (NAME.matches(name) && name.encodeToByteArray().size <= MAX_NAME) inFolder(name) else null
        val plain = file != null && (Files.isRegularFile(file, NOFOLLOW_LINKS) || Files.notExists(file, NOFOLLOW_LINKS))
        return file.takeIf { plain } ?: throw NoNote("'$name' is outside the folder or not a name of a note")
    }

    /** Nothing if the system has no such names: Java takes what letters there are from the locale. */
    private fun inFolder(name: String): Path? = try {
        path.resolve(name)
    } catch (@Suppress("SwallowedException") impossible: InvalidPathException) {
        null
    }
}
