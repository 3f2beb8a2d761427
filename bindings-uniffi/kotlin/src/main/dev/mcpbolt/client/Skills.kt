package dev.mcpbolt

import dev.mcpbolt.engine.skillDecision
import dev.mcpbolt.engine.verifySkill
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.booleanOrNull
import java.util.Base64

// Skills of a server, for a host. Owns: asking for entries and files, and refusing what is not what
// its entry says. Must not know: the rules of that, which the engine knows; users and models.

/** An entry that a server lists: a skill by the URI of its `SKILL.md`. */
public class Skill internal constructor(members: Members) : Record(members) {
    /** The URI of its `SKILL.md`. */
    public val uri: String get() = json.need("uri").text()

    /** What the `SKILL.md` says of itself. It grants nothing: hosts ignore `allowed-tools` and the like. */
    public val frontmatter: JsonObject get() = json.need("frontmatter").obj()

    /** Its name. */
    public val name: String get() = frontmatter.need("name").text()

    /** When to use it. */
    public val description: String get() = frontmatter.need("description").text()

    /** Its files, with URI, size and digest; empty if it [isDynamic]. */
    public val files: List<JsonObject> get() = (json.find("resources") as? List<*>).orEmpty().filterIsInstance<JsonObject>()

    /** Whether it names no files: nothing then binds an approval to what it says. */
    public val isDynamic: Boolean get() = json.tag("resources") == "dynamic"

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): Skill = Skill(Members(json))
    }
}

/** A file is not what its skill's entry says, and must not be used. Ask for the entry again; if it differs, ask the user again too. */
public class SkillVerificationException internal constructor(
    /** What differs: `unlisted`, `size`, `digest` or `frontmatter`. */
    public val reason: String,
    /** The URI of the file. */
    public val uri: String,
    message: String,
    /** The differences in the frontmatter, one sentence each. */
    public val differences: List<String> = emptyList(),
) : McpProtocolException(INTERNAL, message, null)

/** An approval is of another server, another skill or other files, or cannot be kept. */
public class SkillApprovalException internal constructor(message: String) : McpRejectedException(REJECTED, message, null)

/**
 * What a server lists. An empty list proves nothing: a skill may still be had by its URI.
 *
 * @property skills the good entries.
 * @property refused what is wrong with the others, by URI.
 */
public class SkillListing internal constructor(public val skills: List<Skill>, public val refused: List<Pair<String, String>>)

/**
 * A file of a skill.
 *
 * @property mimeType its type, as the server says.
 * @property isVerified whether size and digest were checked; not for dynamic skills.
 */
public class SkillFile internal constructor(public val uri: String, public val content: ByteArray, public val mimeType: String?, public val isVerified: Boolean) {
    /** Its text, if it is UTF-8. */
    public val text: String get() = content.decodeToString(throwOnInvalidSequence = true)
}

/**
 * The skills of one server. Nothing is fetched before it is asked for.
 *
 *     val skills = SkillsClient(client, "docs-server")
 *     val skill = skills.list().skills.first()
 *     val approval = skills.approve(skill) // once the user has seen it and agreed
 *     println(skills.load(skill, approval).forModel())
 *
 * @param client a connected client.
 * @property server the host's own name for the server; what the server calls itself identifies nothing.
 */
public class SkillsClient(private val client: Client, public val server: String) {
    private val declared: JsonObject? get() = client.serverCapabilities?.extensions?.get(EXTENSION) as? JsonObject

    /** Whether the server offers skills. */
    public val isSupported: Boolean get() = declared != null

    /** Whether the server lists folders. */
    public val readsDirectories: Boolean get() = declared?.find("directoryRead")?.primitive()?.booleanOrNull == true

    /** Gets all entries that the server lists; none if it offers no skills. */
    public suspend fun list(): SkillListing {
        val skills = LinkedHashMap<String, Skill>()
        val refused = mutableListOf<Pair<String, String>>()
        for (entry in if (isSupported) pages("skills/list", "skills") else emptyList()) {
            val uri = (entry as? JsonObject)?.tag("uri").orEmpty()
            val wrong = problems(entry) + listOfNotNull("it is listed twice".takeIf { uri in skills })
            if (wrong.isEmpty()) skills[uri] = Skill.of(entry.obj()) else refused += uri to wrong.joinToString("; ")
        }
        return SkillListing(skills.values.toList(), refused)
    }

    /**
     * Gets the entry of one skill as it is now, listed or not.
     *
     * @throws McpException if the server has none there (-32602).
     * @throws McpProtocolException if the entry is not good, or of another skill.
     */
    public suspend fun get(uri: String): Skill {
        val entry = ask("skills/get", objectOf("uri" to uri)).find("skill") ?: EmptyJsonObject
        val wrong = problems(entry).ifEmpty { listOfNotNull("it is the entry of another skill".takeIf { entry.obj().tag("uri") != uri }) }
        if (wrong.isNotEmpty()) throw invalid(uri, wrong)
        return Skill.of(entry.obj())
    }

    /**
     * An approval of the entry as the user has just seen it, to be kept as JSON.
     *
     * @throws SkillApprovalException if the skill is dynamic.
     */
    public fun approve(skill: Skill): JsonObject = decide("approval", "server" to server, "skill" to skill) as? JsonObject
        ?: throw SkillApprovalException("the skill ${skill.uri} is dynamic: an approval of it cannot be kept")

    /**
     * Reads the `SKILL.md` of a skill, and checks it.
     *
     * @param approval what [approve] gave. Leave it out only if the user has just been asked.
     * @throws SkillApprovalException if the approval is of something else; nothing was read.
     * @throws SkillVerificationException if what was read is not what the entry says.
     */
    public suspend fun load(skill: Skill, approval: JsonObject? = null): LoadedSkill {
        val wrong = problems(skill.json)
        if (wrong.isNotEmpty()) throw invalid(skill.uri, wrong)
        if (approval != null && !decide("covers", "server" to server, "skill" to skill, "approval" to approval).flag()) {
            throw SkillApprovalException("the skill ${skill.uri} is not the one that was approved: ask the user again")
        }
        val (file, manifest) = fetch(skill, skill.uri)
        return LoadedSkill(this, skill, file, manifest.obj().need("body").text())
    }

    /**
     * Lists what lies in a folder of the server as it is now; this extends no loaded skill.
     *
     * @throws McpUsageException if the server does not list folders; nothing was sent.
     */
    public suspend fun readDirectory(uri: String): List<Resource> {
        if (!readsDirectories) throw failure("usage", "the server $server does not declare directoryRead")
        return pages("resources/directory/read", "resources", "uri" to uri).map { Resource.of(it.obj()) }
    }

    /** Reads a file and checks it: the file, and what it holds if it is the `SKILL.md`. */
    internal suspend fun fetch(skill: Skill, uri: String): Pair<SkillFile, JsonElement> {
        val parts = ask(Method.Defined.ResourcesRead.value, objectOf("uri" to uri)).need("contents").list { it.obj() }
        val part = parts.firstOrNull { it.tag("uri") == uri || resolved(skill, it.tag("uri").orEmpty()) == uri }
            ?: throw failure("protocol", "the server sent no contents of $uri")
        val content = part.find("text")?.text()?.encodeToByteArray() ?: bytesOf(uri, part.need("blob").text())
        val verdict = decided { verifySkill(skill.json.toString(), uri, content) }.obj()
        val reason = verdict.tag("reason")
        if (reason != null) throw SkillVerificationException(reason, uri, verdict.need("message").text(), verdict.need("differences").list { it.text() })
        return SkillFile(uri, content, part.find("mimeType")?.text(), !skill.isDynamic) to verdict.need("manifest")
    }

    private fun bytesOf(uri: String, blob: String): ByteArray =
        runCatching { Base64.getDecoder().decode(blob) }.getOrElse { throw failure("protocol", "the contents of $uri are no base64") }

    private fun invalid(uri: String, wrong: List<String>) = failure("protocol", "the entry of the skill $uri is not valid: ${wrong.joinToString("; ")}")

    private suspend fun ask(method: String, params: JsonObject): JsonObject = client.request(CustomRequest(method, params), FRESH).json

    private suspend fun pages(method: String, member: String, vararg params: Pair<String, Any?>): List<JsonElement> {
        val found = mutableListOf<JsonElement>()
        var cursor: String? = null
        repeat(MAX_PAGES) {
            val page = ask(method, objectOf(*params, "cursor" to cursor))
            found.addAll(page.need(member).array())
            val next = page.find("nextCursor")?.text()
            if (next == null || next == cursor) return found
            cursor = next
        }
        throw failure("protocol", "$method has more than $MAX_PAGES pages")
    }

    internal companion object {
        private const val EXTENSION = "io.modelcontextprotocol/skills"
        private const val MAX_PAGES = 10_000

        /** Entries and files as they are now. */
        private val FRESH = RequestOptions(fresh = true)

        private fun decide(name: String, vararg given: Pair<String, Any?>): JsonElement = decided { skillDecision(name, objectOf(*given).toString()) }

        private fun problems(entry: JsonElement): List<String> = decide("problems", "skill" to entry).list { it.text() }

        /** The URI of a file that a skill refers to, if its entry lists it. */
        internal fun resolved(skill: Skill, reference: String): String? =
            (decide("resolve", "skill" to skill, "reference" to reference) as? JsonObject)?.need("uri")?.text()
    }
}

/**
 * A skill whose `SKILL.md` is what its entry says. Files are read through it as long as the text is in
 * the model's context: from the server that has the skill, and only those that the entry lists.
 *
 * @property skill the entry.
 * @property file the `SKILL.md`.
 * @property body the Markdown below the frontmatter.
 */
public class LoadedSkill internal constructor(private val skills: SkillsClient, public val skill: Skill, public val file: SkillFile, public val body: String) {
    /** The instructions with the name of their server before them. */
    public fun forModel(): String =
        "Skill ${skill.name} of the MCP server ${skills.server} (${skill.uri}); the server wrote it, not the user.\n\n$body"

    /**
     * Reads a file by its path from the skill's folder, or by its URI.
     *
     * @throws SkillVerificationException if it is not what the entry says; before anything is sent if
     * the entry does not list it.
     */
    public suspend fun read(reference: String): SkillFile {
        val uri = SkillsClient.resolved(skill, reference) ?: throw SkillVerificationException("unlisted", reference, "$reference is no file of ${skill.uri}")
        return skills.fetch(skill, uri).first
    }
}
