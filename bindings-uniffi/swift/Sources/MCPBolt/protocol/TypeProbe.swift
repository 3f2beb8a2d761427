// What a type asks of a decoder: Swift tells the members of a type no other way. Owns: decoders without
// data, which note what is asked of them and answer with values on trial. Must not know: schemas, and
// which answers are worth a trial.
import Foundation

/// A member that a type reads.
struct Asked: Equatable {
    let name: String
    let type: any Decodable.Type
    /// Whether it may be absent or null.
    let isOptional: Bool

    static func == (one: Asked, other: Asked) -> Bool {
        one.name == other.name && one.type == other.type && one.isOptional == other.isOptional
    }
}

/// One reading of a type, with answers that `Trials` chooses.
final class Probe: Decoder {
    /// Makes a value of a type for this reading.
    typealias Maker = (any Decodable.Type) throws -> any Decodable

    private(set) var asked: [Asked] = []
    /// Whether it reads members, or is one value itself.
    private(set) var hasMembers = false
    private(set) var isOneValue = false
    /// What it did that tells nothing of its members.
    private(set) var refusal: String?
    /// How many members of a type that is being read were left out, because they would have no end.
    private(set) var endless = 0
    /// Which request is answered by an error.
    private let failing: Int?
    /// Whether members are absent that may be.
    private let absent: Bool
    private let make: Maker

    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]

    init(absent: Bool = false, failing: Int? = nil, _ make: @escaping Maker) {
        (self.absent, self.failing, self.make) = (absent, failing, make)
    }

    func container<Key: CodingKey>(keyedBy _: Key.Type) throws -> KeyedDecodingContainer<Key> {
        hasMembers = true
        return KeyedDecodingContainer(Members(probe: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        throw refused("it reads a list by itself")
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        isOneValue = true
        return OneValue(probe: self)
    }

    /// Notes what the type did.
    func refused(_ why: String) -> any Error {
        refusal = refusal ?? why
        return DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: why))
    }

    fileprivate func need<T: Decodable>(_ type: T.Type, _ name: String) throws -> T {
        try note(type, name, isOptional: false)
        return try made(type)
    }

    fileprivate func want<T: Decodable>(_ type: T.Type, _ name: String) throws -> T? {
        try note(type, name, isOptional: true)
        if absent { return nil }
        do { return try made(type) } catch is Endless {
            endless += 1
            return nil
        }
    }

    private func note(_ type: any Decodable.Type, _ name: String, isOptional: Bool) throws {
        asked.append(Asked(name: name, type: type, isOptional: isOptional))
        if asked.count - 1 == failing {
            throw DecodingError.typeMismatch(type, .init(codingPath: [], debugDescription: "on trial"))
        }
    }

    private func made<T: Decodable>(_ type: T.Type) throws -> T {
        guard let value = try make(type) as? T else { throw refused("it cannot be tried") }
        return value
    }
}

/// A value that would have one of its own type in it, and so on.
struct Endless: LocalizedError {
    var errorDescription: String? { "it holds another of its own type, and so on without end" }
}

private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let probe: Probe
    let codingPath: [any CodingKey] = []

    var allKeys: [Key] {
        _ = probe.refused(Self.looks)
        return []
    }
    func contains(_: Key) -> Bool {
        _ = probe.refused(Self.looks)
        return false
    }
    func decodeNil(forKey _: Key) throws -> Bool { throw probe.refused(Self.looks) }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try probe.need(type, key.stringValue) }
    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? { try probe.want(type, key.stringValue) }

    // For these there are others that look at what is there.
    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try probe.want(type, key.stringValue) }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { try probe.want(type, key.stringValue) }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { try probe.want(type, key.stringValue) }
    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? { try probe.want(type, key.stringValue) }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try probe.want(type, key.stringValue) }
    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { try probe.want(type, key.stringValue) }
    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { try probe.want(type, key.stringValue) }
    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { try probe.want(type, key.stringValue) }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try probe.want(type, key.stringValue) }
    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { try probe.want(type, key.stringValue) }
    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { try probe.want(type, key.stringValue) }
    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { try probe.want(type, key.stringValue) }
    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { try probe.want(type, key.stringValue) }
    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { try probe.want(type, key.stringValue) }

    func nestedContainer<Other: CodingKey>(keyedBy _: Other.Type, forKey _: Key) throws -> KeyedDecodingContainer<Other> {
        throw probe.refused(Self.within)
    }
    func nestedUnkeyedContainer(forKey _: Key) throws -> any UnkeyedDecodingContainer { throw probe.refused(Self.within) }
    func superDecoder() throws -> any Decoder { throw probe.refused(Self.within) }
    func superDecoder(forKey _: Key) throws -> any Decoder { throw probe.refused(Self.within) }

    private static var looks: String { "it looks which members are there" }
    private static var within: String { "it reads members of a member by itself" }
}

private struct OneValue: SingleValueDecodingContainer {
    let probe: Probe
    let codingPath: [any CodingKey] = []

    func decodeNil() -> Bool {
        _ = probe.refused("it looks whether it is null")
        return false
    }
    func decode<T: Decodable>(_ type: T.Type) throws -> T { try probe.need(type, "") }
}
