@file:Suppress("FunctionName")

package dev.mcpbolt

import kotlinx.io.Sink
import kotlinx.io.Source
import kotlinx.io.asInputStream
import kotlinx.io.asOutputStream

// Stdio over streams of `kotlinx-io`, as the official package has it. The only file that knows
// `kotlinx-io`: programs that do not have it on their class path run without these functions.

/**
 * A server on streams that the program has opened, with one message in each line. They are closed with
 * the connection, which ends when [input] does. `StdioServerTransport()` is the same on the
 * standard streams, faster, and needs no `kotlinx-io`.
 */
public fun StdioServerTransport(input: Source, output: Sink): StdioServerTransport =
    StdioServerTransport(LineTransport(input.asInputStream(), output.asOutputStream()))

/**
 * A server that the program has started, by the streams of its process. They are closed with the
 * connection; the process is the program's. `StdioClientTransport(command, args)` starts and ends one
 * itself, and needs no `kotlinx-io`.
 *
 * @param input what the server writes: one message in each line.
 * @param output what it reads.
 * @param error what it writes beside messages; it is read, so that the server is never held up.
 * `null`: the program reads it, or has inherited it.
 * @param classifyStderr what a line of [error] means; by default nothing.
 */
public fun StdioClientTransport(
    input: Source,
    output: Sink,
    error: Source? = null,
    classifyStderr: (line: String) -> StdioClientTransport.StderrSeverity = { StdioClientTransport.StderrSeverity.DEBUG },
): StdioClientTransport = StdioClientTransport(
    LineTransport(input.asInputStream(), output.asOutputStream(), error?.asInputStream()) {
        when (classifyStderr(it)) {
            StdioClientTransport.StderrSeverity.FATAL -> LineTransport.Complaint.End
            StdioClientTransport.StderrSeverity.WARNING -> LineTransport.Complaint.Error
            else -> LineTransport.Complaint.None
        }
    },
)
