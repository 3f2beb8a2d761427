// Pipes whose reader has ended. Owns: that a write to one fails, where it would end the program.
import Foundation

enum BrokenPipes {
    /// Has writes to a pipe fail, from now on, when nobody reads it any more. By default they end the program without a
    /// word: a server that closes its standard input, or ends at the wrong moment, would take its client along. What the
    /// program itself has decided about the signal stays.
    static func fail() { _ = failing }

    private static let failing: Void = {
        // Nil is the default.
        if let own = signal(SIGPIPE, SIG_IGN) { _ = signal(SIGPIPE, own) }
    }()
}
