// What the contestants are told, each by its command line. Must not know: whose package serves or calls.
import Foundation

/// A server: where it listens, and whether it keeps sessions.
package struct ServerSettings: Sendable {
    /// Nil for the standard streams.
    package let address: (host: String, port: UInt16)?
    package let stateless: Bool

    package init(_ words: [String]) throws {
        stateless = words.contains("--stateless")
        guard let place = words.after("--http") else {
            address = nil
            return
        }
        guard let colon = place.lastIndex(of: ":"), let port = UInt16(place[place.index(after: colon)...]) else {
            throw Unusable(what: "--http takes HOST:PORT, not \(place)")
        }
        address = (String(place[..<colon]), port)
    }
}

/// A client: its server, the era, and how long it measures.
package struct ClientSettings: Sendable {
    package enum Target: Sendable {
        case url(URL)
        /// Program and arguments, of a server on the standard streams.
        case command([String])
    }

    package let target: Target
    package let modern: Bool
    package let seconds: Double
    package let inFlight = 64
    /// Calls that are not counted: as many as those of the contestants in Rust.
    package let warmUp = 2000

    package init(_ words: [String]) throws {
        if let url = words.after("--url").flatMap(URL.init(string:)) {
            target = .url(url)
        } else if let dashes = words.firstIndex(of: "--"), dashes + 1 < words.count {
            target = .command(Array(words[(dashes + 1)...]))
        } else {
            throw Unusable(what: "neither --url nor a command")
        }
        guard let seconds = words.after("--seconds").flatMap(Double.init) else { throw Unusable(what: "--seconds is missing") }
        (modern, self.seconds) = (words.contains("--modern"), seconds)
    }
}

/// A command line or a reply that a contestant cannot go on with.
package struct Unusable: Error { let what: String }

extension [String] {
    /// What comes after a word.
    fileprivate func after(_ word: String) -> String? {
        guard let at = firstIndex(of: word), at + 1 < count else { return nil }
        return self[at + 1]
    }
}
