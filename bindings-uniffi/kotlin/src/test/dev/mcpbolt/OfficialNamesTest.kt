package dev.mcpbolt

import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import java.io.File
import java.lang.reflect.Modifier

/**
 * The list of the official package's names, against what is here. That its types and functions are here
 * says the compiler, which reads a file with an import of each.
 */
class OfficialNamesTest {
    private class Row(val kind: String, val name: String, val reason: String?)

    private val rows = File(System.getProperty("mcpbolt.names")).readLines().filter { it.isNotEmpty() && it.first() != '#' }.map { line ->
        val (kind, rest) = line.split(' ', limit = 2)
        Row(kind, rest.substringBefore(": "), rest.substringAfter(": ", "").ifEmpty { null })
    }

    /** Public functions and getters outside of types. */
    private val outside: Set<String> = listOf(Server::class.java, SseServerTransport::class.java)
        .flatMap { File(it.protectionDomain.codeSource.location.toURI()).resolve("dev/mcpbolt").listFiles()!!.toList() }
        .filter { it.name.endsWith("Kt.class") }
        .flatMap { Class.forName("dev.mcpbolt.${it.name.removeSuffix(".class")}").declaredMethods.toList() }
        .filter { Modifier.isPublic(it.modifiers) }
        .map { it.name.substringBefore('-') }.toSet()

    private fun has(row: Row): Boolean = when (row.kind) {
        "type" -> runCatching { Class.forName("dev.mcpbolt." + row.name.replace('.', '$')) }.isSuccess
        "fun" -> row.name in outside
        "val" -> "get${row.name.replaceFirstChar { it.uppercase() }}" in outside
        else -> {
            val (owner, member) = row.name.split('.')
            val names = Class.forName("dev.mcpbolt.$owner").methods.map { it.name.substringBefore('-') }
            member in names || "get${member.replaceFirstChar { it.uppercase() }}" in names
        }
    }

    @Test
    fun `no reason is given for what is here`() {
        assertEquals(emptyList<String>(), rows.filter { it.reason != null && has(it) }.map { it.name })
    }

    @Test
    fun `the members of clients and servers without a reason are here`() {
        val missing = rows.filter { it.kind in setOf("member", "val", "fun") && it.reason == null && !has(it) }
        assertEquals(emptyList<String>(), missing.map { it.name })
    }

    @Test
    fun `the list is whole`() {
        val counts = rows.groupingBy { it.kind }.eachCount()
        assertTrue(counts.getValue("type") > 260 && counts.getValue("fun") > 40 && counts.getValue("member") > 100, "$counts")
    }
}
