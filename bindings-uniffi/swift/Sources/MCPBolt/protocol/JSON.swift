// JSON text of the engine, parsed only where it is needed. Owns: slices of a text and reading them.
// Must not know: what the values mean. The engine has checked the text: it is one valid value, and
// not too deep.
import Foundation

/// A JSON value that is still text.
struct JSON: Sendable {
    let bytes: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }
    init(_ text: String) { bytes = ArraySlice(text.utf8) }
    init(encoding value: some Encodable) throws {
        if let value = value as? Value {
            self.init(value.text)
            return
        }
        let encoder = JSONEncoder()
        // Sorted keys, so that equal values always give equal text.
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        self.init(ArraySlice(try encoder.encode(value)))
    }

    static let null = JSON("null")
    static let empty = JSON("{}")

    var text: String { String(decoding: bytes, as: UTF8.self) }
    var isNull: Bool { bytes.first == UInt8(ascii: "n") }
    var number: UInt64 { UInt64(text) ?? 0 }
    var flag: Bool { bytes.first == UInt8(ascii: "t") }
    var string: String? { value.stringValue }

    /// The whole value, parsed.
    var value: Value {
        var reader = Reader(bytes)
        return reader.value()
    }

    /// The elements of an array, still as text.
    var rows: [JSON] {
        var reader = Reader(bytes)
        return reader.rows()
    }

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        if type == Value.self, let value = value as? T { return value }
        return try JSONDecoder().decode(type, from: Data(withoutLoneHalves(bytes)))
    }
}

extension Value {
    /// Converts any encodable value.
    public init(_ value: some Encodable) throws { self = try JSON(encoding: value).value }

    /// Decodes a type from the value.
    public func decode<T: Decodable>(_ type: T.Type) throws -> T { try JSON(text).decode(type) }
}

/// Reads through a text.
private struct Reader {
    private let bytes: ArraySlice<UInt8>
    private var at: Int

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        at = bytes.startIndex
    }

    private mutating func space() {
        while at < bytes.endIndex, bytes[at] <= 0x20 { at += 1 }
    }

    /// Skips a byte if it comes next; returns whether it did.
    private mutating func take(_ byte: Unicode.Scalar) -> Bool {
        space()
        guard at < bytes.endIndex, bytes[at] == UInt8(ascii: byte) else { return false }
        at += 1
        return true
    }

    /// Skips a string; returns its range, with the quotes, and whether it has escapes.
    private mutating func quoted() -> (Range<Int>, escaped: Bool) {
        let start = at
        var escaped = false
        at += 1
        while at < bytes.endIndex, bytes[at] != UInt8(ascii: "\"") {
            if bytes[at] == UInt8(ascii: "\\") {
                escaped = true
                at += 1
            }
            at += 1
        }
        at = min(at + 1, bytes.endIndex)
        return (start..<at, escaped)
    }

    private mutating func skip() {
        var depth = 0
        while at < bytes.endIndex {
            switch bytes[at] {
            case UInt8(ascii: "\""):
                _ = quoted()
                continue
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                if depth == 0 { return }
                depth -= 1
            case UInt8(ascii: ",") where depth == 0:
                return
            default:
                break
            }
            at += 1
        }
    }

    mutating func rows() -> [JSON] {
        var found: [JSON] = []
        guard take("["), !take("]") else { return found }
        repeat {
            space()
            let start = at
            skip()
            found.append(JSON(bytes[start..<at]))
        } while take(",")
        return found
    }

    private mutating func text() -> String {
        space()
        let (range, escaped) = quoted()
        if escaped {
            let quoted = withoutLoneHalves(bytes[range])
            return (try? JSONDecoder().decode([String].self, from: Data("[".utf8) + quoted + Data("]".utf8)))?.first ?? ""
        }
        return String(decoding: bytes[(range.lowerBound + 1)..<max(range.upperBound - 1, range.lowerBound + 1)], as: UTF8.self)
    }

    mutating func value() -> Value {
        space()
        guard at < bytes.endIndex else { return .null }
        switch bytes[at] {
        case UInt8(ascii: "\""):
            return .string(text())
        case UInt8(ascii: "{"):
            at += 1
            var members: [String: Value] = [:]
            if take("}") { return .object(members) }
            repeat {
                let name = text()
                guard take(":") else { break }
                members[name] = value()
            } while take(",")
            _ = take("}")
            return .object(members)
        case UInt8(ascii: "["):
            at += 1
            var values: [Value] = []
            if take("]") { return .array(values) }
            repeat { values.append(value()) } while take(",")
            _ = take("]")
            return .array(values)
        default:
            let start = at
            skip()
            var end = at
            while end > start, bytes[end - 1] <= 0x20 { end -= 1 }
            return Self.plain(String(decoding: bytes[start..<end], as: UTF8.self))
        }
    }

    private static func plain(_ word: String) -> Value {
        switch word {
        case "true": return .bool(true)
        case "false": return .bool(false)
        case "null": return .null
        default: return Int(word).map(Value.int) ?? Double(word).map(Value.double) ?? .null
        }
    }
}

/// The text, with U+FFFD for each half of a surrogate pair that stands alone. JSON may have such halves,
/// as of a text that was cut; a `String` may not, and Foundation refuses the whole value for one.
private func withoutLoneHalves(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    // Copied at the first half that is replaced: most texts have none.
    var (whole, at) = (bytes, bytes.startIndex)
    while let escape = whole[at...].firstIndex(of: UInt8(ascii: "\\")) {
        switch half(whole, escape) {
        case .high? where half(whole, escape + 6) == .low:
            at = escape + 12
        case .high?, .low?:
            at = escape + 6
            whole.replaceSubrange(escape..<at, with: "\\ufffd".utf8)
        case nil:
            // With what is escaped, which may be another backslash.
            at = min(escape + 2, whole.endIndex)
        }
    }
    return whole
}

private enum Half { case high, low }

/// Which half of a surrogate pair an escape is; nil if it is none.
private func half(_ bytes: ArraySlice<UInt8>, _ at: Int) -> Half? {
    // Makes small letters of capitals, and leaves digits as they are.
    let small: UInt8 = 0x20
    guard at + 6 <= bytes.endIndex, bytes[at] == UInt8(ascii: "\\"), bytes[at + 1] == UInt8(ascii: "u"),
        bytes[at + 2] | small == UInt8(ascii: "d")
    else { return nil }
    switch bytes[at + 3] | small {
    case UInt8(ascii: "8"), UInt8(ascii: "9"), UInt8(ascii: "a"), UInt8(ascii: "b"): return .high
    case UInt8(ascii: "c")...UInt8(ascii: "f"): return .low
    default: return nil
    }
}

/// The path of a number that JSON cannot represent, if that is why a value could not be encoded.
func notFinite(_ error: any Error) -> String? {
    guard case EncodingError.invalidValue(let value, let context)? = error as? EncodingError,
        let number = value as? any FloatingPoint, "\(number)".contains("n")
    else { return nil }
    let place = context.codingPath.reduce(into: "") { path, key in
        if let at = key.intValue { path += "[\(at)]" } else { path += path.isEmpty ? key.stringValue : ".\(key.stringValue)" }
    }
    return "\(place.isEmpty ? "the value" : place) is \(number): JSON has no such number; use null or text in its place"
}
