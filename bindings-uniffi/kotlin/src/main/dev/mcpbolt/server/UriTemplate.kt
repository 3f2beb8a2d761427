package dev.mcpbolt

import java.net.URLDecoder

// URI templates, read backwards: from a URI to its variables. Must not know: which resource it names.

/** Finds the variables of a URI template in a URI. */
internal class UriTemplate(template: String) {
    private val names = mutableListOf<String>()
    private val pattern: Regex

    init {
        var at = 0
        val text = StringBuilder()
        for (found in VARIABLE.findAll(template)) {
            text.append(Regex.escape(template.substring(at, found.range.first)))
            val (operator, list) = found.destructured
            val lead = if (operator == "+") "" else operator
            for ((index, name) in list.split(',').withIndex()) {
                names += name.removeSuffix("*").substringBefore(':')
                if (lead == "?" || lead == "&") {
                    text.append(if (index == 0) Regex.escape(lead) else "&").append(Regex.escape(names.last())).append("=([^&#]*)")
                } else {
                    text.append(Regex.escape(if (index == 0) lead else lead.ifEmpty { "," }))
                    text.append(if (operator == "+" || operator == "#") "(.+)" else "([^/?#&,]+)")
                }
            }
            at = found.range.last + 1
        }
        pattern = Regex(text.append(Regex.escape(template.substring(at))).toString())
    }

    operator fun invoke(uri: String): Map<String, String>? {
        val found = pattern.matchEntire(uri)?.groupValues?.drop(1) ?: return null
        return names.zip(found.map { runCatching { URLDecoder.decode(it.replace("+", "%2B"), "UTF-8") }.getOrDefault(it) }).toMap()
    }

    private companion object {
        val VARIABLE = Regex("""\{([+#./;?&]?)([^}]+)}""")
    }
}
