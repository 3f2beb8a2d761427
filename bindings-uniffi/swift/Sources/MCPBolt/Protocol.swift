// Messages and the few types that generated ones lean on. Must not know: connections.
import Foundation

/// Parameters that may be left out.
public protocol NotRequired { init() }

/// Nothing but metadata.
public struct Empty: NotRequired, Hashable, Codable, Sendable {
    public var _meta: Metadata?
    public init() {}
}

/// Open metadata.
public typealias Metadata = [String: Value]

extension Metadata {
    /// What progress reports are named by.
    public var progressToken: ID? { try? self["progressToken"]?.decode(ID.self) }
}

/// Names a request, or progress of one.
public enum ID: Hashable, Codable, Sendable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    case string(String)
    case number(Int)

    public init(stringLiteral value: String) { self = .string(value) }
    public init(integerLiteral value: Int) { self = .number(value) }
    public init(from decoder: any Decoder) throws {
        let one = try decoder.singleValueContainer()
        self = if let text = try? one.decode(String.self) { .string(text) } else { .number(try one.decode(Int.self)) }
    }
    public func encode(to encoder: any Encoder) throws {
        var one = encoder.singleValueContainer()
        switch self {
        case .string(let value): try one.encode(value)
        case .number(let value): try one.encode(value)
        }
    }
}
/// The official name.
public typealias ProgressToken = ID

/// A request of either side.
public protocol Method: Sendable {
    associatedtype Parameters: Codable & Hashable & Sendable = Empty
    associatedtype Result: Codable & Hashable & Sendable = Empty
    static var name: String { get }
}

extension Method {
    /// A request with its parameters.
    public static func request(_ params: Parameters) -> Request<Self> { Request(params: params) }
}
extension Method where Parameters: NotRequired {
    /// A request without any.
    public static func request() -> Request<Self> { Request(params: Parameters()) }
}

/// A request, to be sent.
public struct Request<M: Method>: Hashable, Sendable {
    public var method: String { M.name }
    public var params: M.Parameters
}

/// A message that is not answered.
public protocol Notification: Hashable, Codable, Sendable {
    associatedtype Parameters: Codable & Hashable & Sendable = Empty
    static var name: String { get }
}

extension Notification {
    /// One, with its parameters.
    public static func message(_ params: Parameters) -> Message<Self> { Message(params: params) }
}
extension Notification where Parameters: NotRequired {
    /// One without any.
    public static func message() -> Message<Self> { Message(params: Parameters()) }
}

/// A notification with its parameters.
public struct Message<N: Notification>: Hashable, Sendable {
    public var method: String { N.name }
    public var params: N.Parameters
}

/// A notification of any name.
public struct AnyNotification: Hashable, Sendable {
    public let method: String
    public let params: Value
    /// The same as one of the protocol's; nothing if it is another. One without the shape of its type is a
    /// `protocolViolation`.
    public func decode<N: Notification>(_ type: N.Type) throws -> Message<N>? {
        if method != N.name { return nil }
        do { return Message(params: try JSON(params.isNull ? "{}" : params.text).decode(N.Parameters.self)) } catch {
            throw MCPError.protocolViolation("\(method) has not the shape of its type: \(MCPError.describe(error))")
        }
    }
}

/// One block of content or several; one is written as an object.
public struct Contents: Hashable, Codable, Sendable, ExpressibleByArrayLiteral {
    public var all: [ContentBlock]
    public init(_ all: [ContentBlock]) { self.all = all }
    public init(arrayLiteral elements: ContentBlock...) { all = elements }
    public static func text(_ text: String) -> Contents { [.text(text: text)] }
    public static func image(data: String, mimeType: String) -> Contents { [.image(data: data, mimeType: mimeType)] }
    /// The first text in it.
    public var text: String? { all.lazy.compactMap(\.plainText).first }
    public init(from decoder: any Decoder) throws {
        if let several = try? [ContentBlock](from: decoder) {
            all = several
        } else {
            all = [try ContentBlock(from: decoder)]
        }
    }
    public func encode(to encoder: any Encoder) throws {
        if all.count == 1 { try all[0].encode(to: encoder) } else { try all.encode(to: encoder) }
    }
}

extension ContentBlock {
    public static func text(_ text: String) -> ContentBlock { .text(text: text) }
    public static func image(data: String, mimeType: String, metadata: [String: String]?) -> ContentBlock {
        .image(data: data, mimeType: mimeType, _meta: metadata?.mapValues(Value.string))
    }
    /// Its text, if it is one.
    public var plainText: String? { if case .text(let text, _, _) = self { text } else { nil } }
}

extension PromptMessage {
    public static func user(_ content: ContentBlock) -> PromptMessage { .init(role: .user, content: content) }
    public static func assistant(_ content: ContentBlock) -> PromptMessage { .init(role: .assistant, content: content) }
}

/// Names of the official package.
public enum Sampling { public typealias Message = SamplingMessage }
extension SamplingMessage {
    public typealias Content = Contents
    public static func user(_ content: Contents) -> SamplingMessage { .init(role: .user, content: content) }
    public static func assistant(_ content: Contents) -> SamplingMessage { .init(role: .assistant, content: content) }
}

extension Resource {
    /// Text or bytes that were read.
    public struct Content: Hashable, Codable, Sendable {
        public var uri: String
        public var mimeType: String?
        public var text: String?
        /// Base64.
        public var blob: String?
        public var _meta: Metadata?
        public static func text(_ text: String, uri: String, mimeType: String? = nil, _meta: Metadata? = nil) -> Content {
            Content(uri: uri, mimeType: mimeType, text: text, _meta: _meta)
        }
        public static func binary(_ data: Data, uri: String, mimeType: String? = nil, _meta: Metadata? = nil) -> Content {
            Content(uri: uri, mimeType: mimeType, blob: data.base64EncodedString(), _meta: _meta)
        }
    }
}

private struct AnyKey: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

extension Decoder {
    /// Whether a member has this value.
    func tells(_ name: String, _ word: String) -> Bool {
        let members = try? container(keyedBy: AnyKey.self)
        return (try? members?.decode(String.self, forKey: AnyKey(stringValue: name))) == word
    }
}
