package dev.mcpbolt

import dev.mcpbolt.engine.skillDecision
import dev.mcpbolt.engine.skillDigest
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.withContext
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import java.io.IOException
import java.nio.ByteBuffer
import java.nio.charset.CharacterCodingException
import java.nio.file.Files
import java.nio.file.LinkOption
import java.nio.file.Path
import java.util.Base64

// Skills in a folder, for a server. Owns: finding and reading the files, and the extension's methods.
// Must not know: what makes a good skill; the engine does.

/**
 * The skills in a folder, for [ServerOptions.extensions].
 *
 * Each folder below it that holds a `SKILL.md` is a skill, with all files in it. Names that begin with
 * a dot are left out; links are not followed, and a skill with one is left out. A file that changed
 * since is not served.
 *
 * @param path the folder. It is read now, which may take time.
 * @param prefix names before each skill's path: `acme` makes `skill://acme/refunds/SKILL.md`.
 * @param directoryRead whether clients may list folders.
 * @param ttlMs how long clients may keep lists and entries, in milliseconds.
 * @param isPublic whether caches between server and client may keep them too.
 * @throws IOException if the folder or a file in it cannot be read.
 */
public class SkillFolder(
    path: Path,
    prefix: String = "",
    directoryRead: Boolean = true,
    ttlMs: Long = 0,
    isPublic: Boolean = false,
) : ServerExtension("io.modelcontextprotocol/skills", objectOf("directoryRead" to true.takeIf { directoryRead })) {
    private val root = path.toRealPath()
    private val hint = objectOf("ttlMs" to ttlMs, "cacheScope" to if (isPublic) "public" else "private")
    private val catalog: JsonObject = decided {
        skillDecision("catalog", JsonObject(SkillSearch(root).found() + objectOf("prefix" to prefix.split("/").filter { it.isNotEmpty() })).toString())
    }.obj()

    /** The entries that are published, as clients get them. */
    public val skills: List<JsonObject> get() = catalog.need("skills").list { it.obj() }

    /** What is not published or larger than every host takes, and why: a path and a sentence each. */
    public val problems: List<String> get() = catalog.need("problems").list { "${it.obj().tag("path")}: ${it.obj().tag("message")}" }

    init {
        // The engine has the rows of these methods.
        handlers["skills/list"] = { page("skills", catalog.need("skills").array(), it.tag("cursor")) }
        handlers["skills/get"] = { params ->
            val skill = skills.firstOrNull { it.tag("uri") == params.tag("uri") } ?: throw McpException(INVALID_PARAMS, "no skill is served at ${params.tag("uri")}")
            JsonObject(objectOf("skill" to skill) + hint)
        }
        if (directoryRead) {
            handlers["resources/directory/read"] = { params ->
                val children = catalog.need("folders").obj()[params.tag("uri")] ?: throw McpException(INVALID_PARAMS, "${params.tag("uri")} is not a directory resource")
                page("resources", children.array(), params.tag("cursor"))
            }
        }
        val named = catalog.need("listed").list { it.obj() }.associateBy { it.tag("uri") }
        for (file in catalog.need("files").list { it.obj() }) offer(resource(file, named[file.tag("uri")]))
    }

    private fun resource(file: JsonObject, listed: JsonObject?): RegisteredResource {
        val (uri, mimeType, place) = listOf("uri", "mimeType", "path").map { file.need(it).text() }
        val about = Resource(uri, listed?.tag("name") ?: place.substringAfterLast('/'), listed?.find("description")?.text(), mimeType)
        return RegisteredResource(about) {
            val content = withContext(Dispatchers.IO) { readFile(root.resolve(place)) }
            if (skillDigest(content) != file.tag("digest")) {
                throw McpException(INTERNAL, "the file changed since its skill was published", objectOf("reason" to "file_changed"))
            }
            val text = textOf(content)
            val contents = if (text != null) TextResourceContents(text, uri, mimeType) else BlobResourceContents(Base64.getEncoder().encodeToString(content), uri, mimeType)
            ReadResourceResult(listOf(contents))
        }
    }

    private fun page(member: String, items: JsonArray, cursor: String?): JsonObject {
        val start = cursor?.let { startOf(member, it) } ?: 0
        val end = minOf(start + PAGE, items.size)
        val next = if (end < items.size) Base64.getUrlEncoder().encodeToString("$member:$end".encodeToByteArray()) else null
        return JsonObject(objectOf(member to items.subList(minOf(start, end), end), "nextCursor" to next) + hint)
    }

    private fun startOf(member: String, cursor: String): Int {
        val text = runCatching { Base64.getUrlDecoder().decode(cursor).decodeToString() }.getOrDefault("")
        val start = text.removePrefix("$member:").takeIf { it != text }?.toIntOrNull()?.takeIf { it >= 0 }
        return start ?: throw McpException(INVALID_PARAMS, "cursor is not one this server issued")
    }

    private companion object {
        const val PAGE = 100
    }
}

/** What lies in a folder of skills, for the engine to decide about. */
private class SkillSearch(private val root: Path) {
    private val files = mutableListOf<String>()
    private val folders = mutableListOf<String>()
    private val other = mutableListOf<String>()

    fun found(): JsonObject {
        walk()
        val skills = files.filter { it.substringAfterLast('/') == MANIFEST }.map { it.substringBeforeLast('/', "") }.toSet()
        val manifests = LinkedHashMap<String, JsonElement>()
        val digests = files.filter { path -> foldersOf(path).any { it in skills } }.map { path ->
            val content = readFile(root.resolve(path))
            if (path.substringAfterLast('/') == MANIFEST) manifests[path] = toJson(content.decodeToString())
            objectOf("path" to path, "digest" to skillDigest(content), "size" to content.size)
        }
        return objectOf("files" to digests, "folders" to folders, "other" to other, "manifests" to manifests)
    }

    private fun walk() {
        val waiting = ArrayDeque(listOf(""))
        while (waiting.isNotEmpty()) {
            val folder = waiting.removeLast()
            val inside = Files.newDirectoryStream(root.resolve(folder)).use { it.toList() }.sortedBy { it.fileName.toString() }
            for (entry in inside.filterNot { it.fileName.toString().startsWith(".") }) {
                val path = if (folder.isEmpty()) "${entry.fileName}" else "$folder/${entry.fileName}"
                when {
                    Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS) -> {
                        folders += path
                        waiting += path
                    }
                    Files.isRegularFile(entry, LinkOption.NOFOLLOW_LINKS) -> files += path
                    else -> other += path
                }
            }
            if (files.size + folders.size > MAX_ENTRIES) throw IOException("$root holds more than $MAX_ENTRIES files and folders")
        }
    }

    /** The folders above a file, the top one too. */
    private fun foldersOf(path: String): Sequence<String> = generateSequence(path.substringBeforeLast('/', "")) { it.ifEmpty { null }?.substringBeforeLast('/', "") }

    private companion object {
        const val MANIFEST = "SKILL.md"
        const val MAX_ENTRIES = 100_000
    }
}

/** Reads a file that is no link. */
private fun readFile(path: Path): ByteArray = Files.newInputStream(path, LinkOption.NOFOLLOW_LINKS).use { it.readBytes() }

/** The text of bytes, if they are UTF-8. */
private fun textOf(content: ByteArray): String? = try {
    Charsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(content)).toString()
} catch (@Suppress("SwallowedException") binary: CharacterCodingException) {
    null
}
