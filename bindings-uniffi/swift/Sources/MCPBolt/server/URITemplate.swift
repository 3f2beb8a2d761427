// URI templates, read backwards: from a URI to its variables. Must not know: which resource it names.
import Foundation

/// Finds the values in a URI that a template could have made, in one walk.
struct URITemplate: Sendable {
    private struct Part: Sendable {
        var literal = ""
        var name: String?
        var slashes = false
    }
    private let parts: [Part]

    init(_ text: String) {
        var parts: [Part] = []
        for piece in text.split(separator: "{", omittingEmptySubsequences: false) {
            guard let end = piece.firstIndex(of: "}") else {
                parts.append(Part(literal: String(piece)))
                continue
            }
            let name = piece[..<end]
            let plain = name.drop(while: { $0 == "+" || $0 == "#" || $0 == "/" })
            parts.append(Part(name: String(plain), slashes: name.hasPrefix("+") || name.hasPrefix("#")))
            parts.append(Part(literal: String(piece[piece.index(after: end)...])))
        }
        self.parts = parts.filter { $0.name != nil || !$0.literal.isEmpty }
    }

    func match(_ uri: String) -> [String: String]? {
        var (rest, found) = (uri[...], [String: String]())
        for (at, part) in parts.enumerated() {
            guard let name = part.name else {
                guard rest.hasPrefix(part.literal) else { return nil }
                rest = rest.dropFirst(part.literal.count)
                continue
            }
            var end = rest.endIndex
            if at + 1 < parts.count {
                guard let next = rest.range(of: parts[at + 1].literal) else { return nil }
                end = next.lowerBound
            }
            let value = rest[..<end]
            if value.isEmpty || (!part.slashes && value.contains("/")) { return nil }
            found[name] = value.removingPercentEncoding ?? String(value)
            rest = rest[end...]
        }
        return rest.isEmpty ? found : nil
    }
}
