// Messages, and the few types that generated ones depend on. Must not know: connections.
import Foundation

/// Parameters that may be left out.
public protocol NotRequired { init() }

/// Parameters or a result with only metadata.
public struct Empty: NotRequired, Hashable, Codable, Sendable {
    /// The metadata; nil for none.
    public var _meta: Metadata?
    /// Without metadata.
    public init() {}
}

/// Metadata with any members: `_meta`.
public typealias Metadata = [String: Value]

extension Metadata {
    /// The token that progress reports refer to.
    public var progressToken: ID? { try? self["progressToken"]?.decode(ID.self) }
}

/// The id of a request, or the token of its progress.
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
/// A progress token; the official package's name.
public typealias ProgressToken = ID

/// A request of either side, as a type.
public protocol Method: Sendable {
    associatedtype Parameters: Codable & Hashable & Sendable = Empty
    associatedtype Result: Codable & Hashable & Sendable = Empty
    static var name: String { get }
}

extension Method {
    /// Creates a request with parameters.
    public static func request(_ params: Parameters) -> Request<Self> { Request(params: params) }
}
extension Method where Parameters: NotRequired {
    /// Creates a request without parameters.
    public static func request() -> Request<Self> { Request(params: Parameters()) }
}

/// A request to send.
public struct Request<M: Method>: Hashable, Sendable {
    /// The method's name.
    public var method: String { M.name }
    /// What it is given.
    public var params: M.Parameters
}

/// A notification of either side, as a type.
public protocol Notification: Hashable, Codable, Sendable {
    associatedtype Parameters: Codable & Hashable & Sendable = Empty
    static var name: String { get }
}

extension Notification {
    /// Creates a notification with parameters.
    public static func message(_ params: Parameters) -> Message<Self> { Message(params: params) }
}
extension Notification where Parameters: NotRequired {
    /// Creates a notification without parameters.
    public static func message() -> Message<Self> { Message(params: Parameters()) }
}

/// A notification with its parameters.
public struct Message<N: Notification>: Hashable, Sendable {
    /// The notification's name.
    public var method: String { N.name }
    /// What it says.
    public var params: N.Parameters
}

/// A notification of any method.
public struct AnyNotification: Hashable, Sendable {
    /// Its name.
    public let method: String
    /// What it says; null for nothing.
    public let params: Value
    /// Decodes it as a notification of the protocol; nil if it is of another method. Throws
    /// `protocolViolation` if its parameters do not match the type.
    public func decode<N: Notification>(_ type: N.Type) throws -> Message<N>? {
        if method != N.name { return nil }
        do { return Message(params: try JSON(params.isNull ? "{}" : params.text).decode(N.Parameters.self)) } catch {
            throw MCPError.protocolViolation("\(method) has not the shape of its type: \(MCPError.describe(error))")
        }
    }
}

/// One or more content blocks; a single one is encoded as an object.
public struct Contents: Hashable, Codable, Sendable, ExpressibleByArrayLiteral, ExpressibleByStringInterpolation {
    /// The blocks, in their order.
    public var all: [ContentBlock]
    /// Creates contents of these blocks.
    public init(_ all: [ContentBlock]) { self.all = all }
    public init(arrayLiteral elements: ContentBlock...) { all = elements }
    /// One text.
    public init(stringLiteral value: String) { all = [.text(text: value)] }
    /// One text.
    public static func text(_ text: String) -> Contents { [.text(text: text)] }
    /// One picture: its bytes in Base64, and their type.
    public static func image(data: String, mimeType: String) -> Contents { [.image(data: data, mimeType: mimeType)] }
    /// The first text among the blocks.
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
    /// A text without hints.
    public static func text(_ text: String) -> ContentBlock { .text(text: text) }
    /// A picture with metadata that are texts.
    public static func image(data: String, mimeType: String, metadata: [String: String]?) -> ContentBlock {
        .image(data: data, mimeType: mimeType, _meta: metadata?.mapValues(Value.string))
    }
    /// The block's text, if it is a text block.
    public var plainText: String? { if case .text(let text, _, _) = self { text } else { nil } }
}

/// A namespace for names of the official package.
public enum Sampling { public typealias Message = SamplingMessage }
extension SamplingMessage {
    /// What a message says.
    public typealias Content = Contents
    /// A message of the user.
    public static func user(_ content: Contents) -> SamplingMessage { .init(role: .user, content: content) }
    /// A message of the model.
    public static func assistant(_ content: Contents) -> SamplingMessage { .init(role: .assistant, content: content) }
}

extension Resource {
    /// Text or bytes of a resource.
    public struct Content: Hashable, Codable, Sendable {
        /// The resource's URI.
        public var uri: String
        /// The type of what it has; nil if nobody said.
        public var mimeType: String?
        /// The text, for contents that are one.
        public var text: String?
        /// The bytes in base64, for binary contents.
        public var blob: String?
        /// Metadata of the protocol and of extensions.
        public var _meta: Metadata?
        /// Contents that are a text.
        public static func text(_ text: String, uri: String, mimeType: String? = nil, _meta: Metadata? = nil) -> Content {
            Content(uri: uri, mimeType: mimeType, text: text, _meta: _meta)
        }
        /// Contents that are bytes.
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
