package dev.mcpbolt

import kotlinx.coroutines.CoroutineScope
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test

private const val PAGE = "ui://clock/app.html"

// Pages beside tools: what a server says of them, and a host that shows them.
class AppsTest {
    private fun server(vararg extensions: ServerExtension) = Server(Implementation("clock", "1"), ServerOptions(WITH_EVERYTHING, extensions = extensions.toList()))

    private fun tool(name: String) = Tool(name, ToolSchema(), meta = objectOf("com.example/size" to "small"))

    private fun reading(server: Server, vararg extensions: ClientExtension, protocol: String = MODERN, body: suspend CoroutineScope.(Client) -> Unit) =
        together(server, Client(Implementation("host", "1"), ClientOptions(protocol = ProtocolPolicy(protocol), extensions = extensions.toList())), body)

    private fun clock(): Server {
        val apps = Apps { page(PAGE, "<p>", csp = AppCsp(connectDomains = listOf("https://time.example", "*")), permissions = setOf(AppPermission.ClipboardWrite), prefersBorder = true) }
        return server(apps).apply {
            addTool(apps.tool(tool("time"), PAGE)) { text(if (showsApps) "12:00" else "plain") }
            addTool(apps.tool(tool("wind"), visibility = setOf(Apps.Visibility.App))) { text("wound") }
            addTool(apps.tool(tool("sell"), PAGE, setOf(Apps.Visibility.Model))) { text("sold") }
        }
    }

    @Test
    fun a_page_is_shown_under_its_policy_and_calls_what_is_for_pages() {
        for (era in ERAS) {
            reading(clock(), ShowsApps(), protocol = era) { client ->
                val apps = AppsClient(client)
                val tools = apps.modelTools()
                assertEquals(listOf("time", "sell"), tools.map { it.name })
                assertEquals("small", tools[0].meta?.tag("com.example/size"))
                val shown = apps.page(tools[0])!!
                assertTrue("connect-src https://time.example;" in shown.policy, shown.policy)
                assertEquals(listOf("*") to "<p>", shown.ignored to shown.html)
                assertEquals("clipboard-write" to true, shown.allow to shown.border)
                assertEquals("12:00" to "wound", apps.call("time").words to apps.call("wind").words)
                val refused = { name: String -> suspend { runCatching { apps.call(name) }.exceptionOrNull() as AppException } }
                assertEquals(AppException.Reason.NotForApps, refused("sell")().reason)
                assertEquals(AppException.Reason.Unknown, refused("rob")().reason)
            }
        }
    }

    @Test
    fun pages_are_resources_that_are_declared_and_clients_without_them_get_the_text() {
        val others = ClientExtension("io.modelcontextprotocol/ui", objectOf("mimeTypes" to listOf("text/plain")))
        for (extensions in listOf(emptyArray(), arrayOf(others))) {
            reading(clock(), *extensions) { client ->
                assertTrue("io.modelcontextprotocol/ui" in client.serverCapabilities?.extensions.orEmpty())
                val listed = client.listResources().resources.single()
                assertEquals(PAGE to "text/html;profile=mcp-app", listed.uri to listed.mimeType)
                assertEquals("plain", client.callTool("time", emptyMap()).words)
            }
        }
    }

    @Test
    fun what_is_no_page_of_the_server_is_named() {
        val apps = Apps { page(PAGE, "<p>") }
        val mistakes: Map<String, () -> Any?> = mapOf(
            "https://clock.example" to { apps.page("https://clock.example", "<p>") },
            PAGE to { apps.page(PAGE, "<p>") },
            "ui://other" to { apps.tool(tool("time"), "ui://other") },
            "_meta" to { apps.tool(apps.tool(tool("time"), PAGE), PAGE) },
        )
        for ((named, mistake) in mistakes) {
            val refused = runCatching { mistake() }.exceptionOrNull()
            assertTrue(refused is McpUsageException && named in refused.message.orEmpty(), "$named: $refused")
        }
    }

    @Test
    fun what_a_server_sends_instead_of_a_page_is_not_shown() {
        val apps = Apps { page(PAGE, "<p>") }
        val server = server(apps)
        server.addTool(apps.tool(tool("time"), PAGE)) { text("12:00") }
        server.addResource(PAGE, "app", "A clock") { ReadResourceResult(listOf(TextResourceContents("<p>", PAGE, "text/html"))) }
        reading(server, ShowsApps()) { client ->
            val host = AppsClient(client)
            val refused = runCatching { host.page(host.modelTools().single()) }.exceptionOrNull() as AppException
            assertEquals(AppException.Reason.Page, refused.reason)
        }
    }
}
