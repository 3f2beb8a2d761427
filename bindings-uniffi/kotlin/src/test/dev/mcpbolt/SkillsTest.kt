package dev.mcpbolt

import kotlinx.coroutines.CoroutineScope
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.createDirectories
import kotlin.io.path.writeText

private const val TIDY = "skill://tidy/SKILL.md"

// Skills in a folder, and a host that reads them.
class SkillsTest {
    @TempDir lateinit var root: Path

    private fun skill(name: String, body: String = "Start with the desk.") {
        root.resolve("$name/more").createDirectories()
        root.resolve("$name/SKILL.md").writeText("---\nname: $name\ndescription: Makes it $name\n---\n$body\n")
        root.resolve("$name/more/list.txt").writeText("desk, floor")
    }

    private fun docs(folder: SkillFolder) = Server(Implementation("docs", "1"), ServerOptions(ServerCapabilities(), extensions = listOf(folder)))

    private fun reading(server: Server, options: ClientOptions = ClientOptions(), body: suspend CoroutineScope.(Client) -> Unit) =
        together(server, Client(Implementation("host", "1"), options), body)

    @Test
    fun a_folder_is_listed_read_and_verified() {
        skill("tidy")
        for (era in ERAS) {
            reading(docs(SkillFolder(root)), ClientOptions(protocol = ProtocolPolicy(era))) { client ->
                val skills = SkillsClient(client, "docs-server")
                assertTrue(skills.isSupported && skills.readsDirectories)
                val listing = skills.list()
                val tidy = listing.skills.single()
                assertEquals(emptyList<Any>() to TIDY, listing.refused to tidy.uri)
                assertEquals(tidy, skills.get(TIDY))
                assertEquals("tidy" to "Makes it tidy", tidy.name to tidy.description)

                val loaded = skills.load(tidy, skills.approve(tidy))
                assertTrue("docs-server" in loaded.forModel() && "Start with the desk." in loaded.forModel(), loaded.forModel())
                val file = loaded.read("more/list.txt")
                assertEquals("desk, floor" to true, file.text to file.isVerified)
                val wrong = runCatching { loaded.read("../other/SKILL.md") }.exceptionOrNull() as SkillVerificationException
                assertEquals("unlisted", wrong.reason)
                assertEquals(listOf("more", "SKILL.md").sorted(), skills.readDirectory("skill://tidy").map { it.name }.sorted())
                assertEquals(INVALID_PARAMS, (runCatching { skills.get("skill://none/SKILL.md") }.exceptionOrNull() as McpException).code)
            }
        }
    }

    @Test
    fun a_file_that_changed_is_not_served_and_an_approval_ends_with_its_files() {
        skill("tidy")
        var approval = EmptyJsonObject
        reading(docs(SkillFolder(root))) { client ->
            val skills = SkillsClient(client, "docs-server")
            val tidy = skills.list().skills.single()
            approval = skills.approve(tidy)
            root.resolve("tidy/more/list.txt").writeText("something else")
            val loaded = skills.load(tidy, approval)
            assertTrue(runCatching { loaded.read("more/list.txt") }.isFailure)
        }
        reading(docs(SkillFolder(root))) { client ->
            val skills = SkillsClient(client, "docs-server")
            val changed = skills.list().skills.single()
            assertTrue(runCatching { skills.load(changed, approval) }.exceptionOrNull() is SkillApprovalException)
            assertTrue(runCatching { SkillsClient(client, "other").load(changed, skills.approve(changed)) }.exceptionOrNull() is SkillApprovalException)
            assertEquals("something else", skills.load(changed, skills.approve(changed)).read("more/list.txt").text)
        }
    }

    @Test
    fun what_a_server_sends_instead_is_refused() {
        skill("tidy")
        val server = docs(SkillFolder(root))
        server.setRequestHandler(Method.Defined.ResourcesRead.value) { params ->
            ReadResourceResult(listOf(TextResourceContents("---\nname: tidy\ndescription: Deletes all\n---\n", params!!.need("uri").text()))).json
        }
        reading(server) { client ->
            val skills = SkillsClient(client, "docs-server")
            val wrong = runCatching { skills.load(skills.list().skills.single()) }.exceptionOrNull()
            assertTrue(wrong is SkillVerificationException && wrong.reason in listOf("size", "digest"), wrong.toString())
        }
    }

    @Test
    fun what_is_not_published_is_named_and_lists_come_in_pages() {
        skill("tidy")
        root.resolve("tidy/alias").let { Files.createSymbolicLink(it, root.resolve("tidy/SKILL.md")) }
        repeat(120) { skill("s$it") }
        val folder = SkillFolder(root, prefix = "acme", directoryRead = false)
        assertTrue(folder.problems.any { it.startsWith("tidy") }, folder.problems.toString())
        assertEquals(120, folder.skills.size)
        reading(docs(folder)) { client ->
            val skills = SkillsClient(client, "docs-server")
            val listed = skills.list().skills
            assertEquals(120 to true, listed.size to listed.all { it.uri.startsWith("skill://acme/") })
            assertFalse(skills.readsDirectories)
            assertTrue(runCatching { skills.readDirectory("skill://acme") }.exceptionOrNull() is McpUsageException)
            val strange = CustomRequest("skills/list", objectOf("cursor" to "strange"))
            assertEquals(INVALID_PARAMS, (runCatching { client.request(strange) }.exceptionOrNull() as McpException).code)
        }
        reading(usualServer()) { client ->
            val none = SkillsClient(client, "usual")
            assertEquals(false to 0, none.isSupported to none.list().skills.size)
        }
    }
}
