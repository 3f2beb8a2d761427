// Any JSON value. Owns: literals, and the value's JSON text. Must not know: the protocol, and how text
// is read.
import Foundation

/// A JSON value, with literals: `["a": 1, "b": [true, nil]]`.
public enum Value: Hashable, Sendable {
    case null
    case bool(Bool)
    case int(Int)
    case double(Double)
    case string(String)
    /// Bytes; encoded as a `data:` URL.
    case data(mimeType: String? = nil, Data)
    case array([Value])
    case object([String: Value])

    /// Whether it is null.
    public var isNull: Bool { self == .null }
    /// The truth value; nil if it is none.
    public var boolValue: Bool? { if case .bool(let value) = self { value } else { nil } }
    /// The integer; nil if it is none.
    public var intValue: Int? { if case .int(let value) = self { value } else { nil } }
    /// The text; nil if it is none.
    public var stringValue: String? { if case .string(let value) = self { value } else { nil } }
    /// The elements; nil if it is no array.
    public var arrayValue: [Value]? { if case .array(let value) = self { value } else { nil } }
    /// The members; nil if it is no object.
    public var objectValue: [String: Value]? { if case .object(let value) = self { value } else { nil } }
    /// The bytes and their type; nil if it is not `data`. A value that was read has none: there
    /// they are text.
    public var dataValue: (mimeType: String?, Data)? {
        if case .data(let mimeType, let data) = self { (mimeType, data) } else { nil }
    }
    /// The value as a double; integers are converted.
    public var doubleValue: Double? {
        switch self {
        case .double(let value): value
        case .int(let value): Double(value)
        default: nil
        }
    }

    /// A member of an object.
    public subscript(name: String) -> Value? { objectValue?[name] }
    /// An element of an array.
    public subscript(index: Int) -> Value? {
        guard let all = arrayValue, all.indices.contains(index) else { return nil }
        return all[index]
    }

    /// The value as JSON text without line breaks. Members are sorted, so that equal values give
    /// equal text.
    var text: String {
        var out = ""
        write(to: &out)
        return out
    }

    private func write(to out: inout String) {
        switch self {
        case .null: out += "null"
        case .bool(let value): out += value ? "true" : "false"
        case .int(let value): out += String(value)
        // JSON cannot represent numbers that are not finite.
        case .double(let value): out += value.isFinite ? "\(value)" : "null"
        case .string(let value): Self.quote(value, to: &out)
        case .data(let mimeType, let data):
            Self.quote(Self.dataURL(mimeType, data), to: &out)
        case .array(let values):
            out += "["
            for (at, value) in values.enumerated() {
                if at > 0 { out += "," }
                value.write(to: &out)
            }
            out += "]"
        case .object(let members):
            out += "{"
            for (at, (name, value)) in members.sorted(by: { $0.key < $1.key }).enumerated() {
                if at > 0 { out += "," }
                Self.quote(name, to: &out)
                out += ":"
                value.write(to: &out)
            }
            out += "}"
        }
    }

    private static func dataURL(_ mimeType: String?, _ data: Data) -> String {
        "data:\(mimeType ?? "text/plain");base64,\(data.base64EncodedString())"
    }

    static func quote(_ text: String, to out: inout String) {
        out += "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": out += "\\\""
            case "\\": out += "\\\\"
            case "\n": out += "\\n"
            case "\r": out += "\\r"
            case "\t": out += "\\t"
            case _ where scalar.value < 0x20: out += String(format: "\\u%04x", scalar.value)
            default: out.unicodeScalars.append(scalar)
            }
        }
        out += "\""
    }
}

/// The JSON text, or a string's content without quotes.
extension Value: CustomStringConvertible {
    public var description: String { stringValue ?? text }
}

extension Value: Codable {
    public init(from decoder: any Decoder) throws {
        let one = try decoder.singleValueContainer()
        if let value = try? one.decode(String.self) {
            self = .string(value)
        } else if let value = try? one.decode(Int.self) {
            self = .int(value)
        } else if let value = try? one.decode(Double.self) {
            self = .double(value)
        } else if let value = try? one.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? one.decode([String: Value].self) {
            self = .object(value)
        } else if let value = try? one.decode([Value].self) {
            self = .array(value)
        } else {
            self = .null
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var one = encoder.singleValueContainer()
        switch self {
        case .null: try one.encodeNil()
        case .bool(let value): try one.encode(value)
        case .int(let value): try one.encode(value)
        case .double(let value): try one.encode(value)
        case .string(let value): try one.encode(value)
        case .data(let mimeType, let data): try one.encode(Self.dataURL(mimeType, data))
        case .array(let value): try one.encode(value)
        case .object(let value): try one.encode(value)
        }
    }
}

extension Value: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    public init(nilLiteral: ()) { self = .null }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(integerLiteral value: Int) { self = .int(value) }
    public init(floatLiteral value: Double) { self = .double(value) }
    public init(stringLiteral value: String) { self = .string(value) }
    public init(arrayLiteral elements: Value...) { self = .array(elements) }
    public init(dictionaryLiteral elements: (String, Value)...) {
        self = .object(Dictionary(elements, uniquingKeysWith: { _, last in last }))
    }
}
