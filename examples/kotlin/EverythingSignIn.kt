package examples.everything

import dev.mcpbolt.AssertionKey
import dev.mcpbolt.ClientInformation
import dev.mcpbolt.DpopKey
import dev.mcpbolt.GrantFlow
import dev.mcpbolt.IdentityProvider
import dev.mcpbolt.OAuth
import dev.mcpbolt.RedirectCallback
import dev.mcpbolt.Supplier
import examples.word
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.withContext
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import java.net.HttpURLConnection
import java.net.URI

// Signing in where no user is there: the conformance suites answer in their place.

/** Nothing listens there: the answer is read from where the browser would be sent. */
private const val REDIRECT_URI = "http://localhost:3000/callback"

/** The one document that the suites know. */
private const val METADATA_URL = "https://conformance-test.local/client-metadata.json"

/** A sign-in as the scenario wants to see it; [given] is what the scenario gives a client for it. */
internal fun signIn(scenario: String, given: JsonObject): OAuth = OAuth(
    "mcpbolt-everything-client",
    redirect = RedirectCallback(REDIRECT_URI, ::visit),
    clients = listOfNotNull(client(given)),
    clientMetadataUrl = METADATA_URL.takeIf { scenario == "auth/basic-cimd" },
    grant = grant(scenario, given),
    supplier = Given(given),
    assertionKey = given.word("private_key_pem")?.let { AssertionKey(given.word("signing_algorithm") ?: "ES256", it) },
    dpop = if (scenario.startsWith("auth/dpop")) DpopKey() else null,
    engine = JsonObject(
        listOfNotNull(
            // The mocks take the grant of a company's identity provider without saying so.
            "assume_id_jag" to JsonPrimitive(true),
            // Older suites name no issuer.
            "bind_clients" to JsonPrimitive(true),
            // Servers of 2025-03-26 publish less, or nothing.
            ("default_endpoints" to JsonPrimitive("always")).takeIf { scenario.startsWith("auth/2025-03-26") },
        ).toMap(),
    ),
)

private fun grant(scenario: String, given: JsonObject): GrantFlow = when (scenario) {
    "auth/client-credentials-basic", "auth/client-credentials-jwt" -> GrantFlow.ClientCredentials
    "auth/enterprise-managed-authorization", "auth/cross-app-access-complete-flow" -> GrantFlow.EnterpriseManaged(identityProvider(given))
    "auth/wif-jwt-bearer" -> GrantFlow.WorkloadIdentity
    else -> GrantFlow.AuthorizationCode
}

/** The client that the suite registered, where it is shown at all. */
private fun client(given: JsonObject): ClientInformation? {
    if (given.word("valid_jwt") != null) return null
    val method = "private_key_jwt".takeIf { given.word("private_key_pem") != null }
    return given.word("client_id")?.let { ClientInformation(it, given.word("issuer"), given.word("client_secret"), method) }
}

private fun identityProvider(given: JsonObject): IdentityProvider? {
    val issuer = given.word("idp_issuer") ?: return null
    val client = ClientInformation(given.word("idp_client_id") ?: return null, issuer)
    return IdentityProvider(issuer, client, tokenEndpoint = given.word("idp_token_endpoint"))
}

/** What the scenario gives a client beside its credentials. */
private class Given(private val given: JsonObject) : Supplier {
    override suspend fun supply(need: Supplier.Need): String? = when (need) {
        is Supplier.Need.SubjectToken -> given.word("idp_id_token")
        is Supplier.Need.WorkloadAssertion -> given.word("valid_jwt")
        else -> null
    }
}

/** Asks the authorization server as a browser would, and reads where it sends the browser. */
private suspend fun visit(url: String): String? = withContext(Dispatchers.IO) {
    val connection = URI(url).toURL().openConnection() as HttpURLConnection
    connection.instanceFollowRedirects = false
    connection.inputStream.use { it.readAllBytes() }
    connection.getHeaderField("Location")
}
