package examples.auth

import dev.mcpbolt.Client
import dev.mcpbolt.ClientInformation
import dev.mcpbolt.GrantFlow
import dev.mcpbolt.IdentityProvider
import dev.mcpbolt.Implementation
import dev.mcpbolt.McpException
import dev.mcpbolt.OAuth
import dev.mcpbolt.RedirectCallback
import dev.mcpbolt.StreamableHttpClientTransport
import dev.mcpbolt.Supplier
import examples.textOf
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import kotlinx.serialization.json.add
import kotlinx.serialization.json.buildJsonObject
import kotlinx.serialization.json.put
import kotlinx.serialization.json.putJsonArray

// A client that signs in: `auth-client URL SCENARIO`, the same in every language. A line `open URL` on standard output
// asks for the browser; the line that comes back is where the browser ended. The rest of standard output is one JSON
// object a line: what tools said.

/** As many calls as are refused at once. */
private const val AT_ONCE = 64

private fun setting(name: String): String = checkNotNull(System.getenv(name)) { "$name is not set" }

private suspend fun line(): String = withContext(Dispatchers.IO) { readlnOrNull().orEmpty() }

private val redirect by lazy {
    RedirectCallback(setting("REDIRECT_URI")) { url ->
        println("open $url")
        line()
    }
}

/** A client whose id and secret are in variables that begin with this. */
private fun withSecret(name: String) = ClientInformation(setting("${name}_ID"), setting("ISSUER"), setting("${name}_SECRET"))

/** The ID token of the user. */
private object Morning : Supplier {
    override suspend fun supply(need: Supplier.Need): String? = (need as? Supplier.Need.SubjectToken)?.let { setting("IDP_ID_TOKEN") }
}

/** Signs in by the word of a company's identity provider. */
private fun byCompany(): OAuth {
    val issuer = setting("IDP_ISSUER")
    val company = IdentityProvider(issuer, ClientInformation(setting("IDP_CLIENT_ID"), issuer))
    // An authorization server may take the grant without saying so.
    val engine = buildJsonObject { put("assume_id_jag", true) }
    return OAuth(
        "Example",
        clients = listOf(withSecret("COMPANY_APP")),
        grant = GrantFlow.EnterpriseManaged(company),
        supplier = Morning,
        engine = engine,
    )
}

private fun oauth(scenario: String): OAuth = when (scenario) {
    "dynamic", "refresh" -> OAuth("Example", redirect)
    "registered" -> {
        val client = ClientInformation(setting("CLIENT_ID"), setting("ISSUER"), tokenEndpointAuthMethod = "none")
        OAuth("Example", redirect, clients = listOf(client))
    }
    "document" -> OAuth("Example", redirect, clientMetadataUrl = setting("DOCUMENT_URL"))
    "machine" -> OAuth("Example", clients = listOf(withSecret("MACHINE")), grant = GrantFlow.ClientCredentials)
    "company" -> byCompany()
    else -> error("$scenario is no scenario")
}

private suspend fun call(client: Client, tool: String): String = try {
    textOf(client.callTool(tool, emptyMap()).content)
} catch (failed: McpException) {
    "failed: ${failed.message}"
}

fun main(args: Array<String>): Unit = runBlocking(Dispatchers.Default) {
    val (url, scenario) = args
    val auth = oauth(scenario)
    val client = Client(Implementation("example", "1.0"))
    client.connect(StreamableHttpClientTransport(url, auth = auth))
    println(buildJsonObject { put("whoami", call(client, "whoami")) })
    if (scenario == "refresh") {
        println("ready")
        line()
        val said = List(AT_ONCE) { async { call(client, "whoami") } }.awaitAll()
        println(buildJsonObject { putJsonArray("at_once") { said.forEach(::add) } })
    } else if (System.getenv("READS_ONLY") == null) {
        println(buildJsonObject { put("write", call(client, "write")) })
    }
    client.close()
    auth.close()
}
