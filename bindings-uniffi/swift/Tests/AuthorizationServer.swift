// An authorization server of a few lines, for tests of what a program is asked while it signs in.
// Real ones are in tests/auth. Owns: its endpoints, and what was sent to them. Must not know: MCP.
import Foundation

@testable import MCPBolt

/// What was sent to an endpoint: its path, the fields of the form, and the proof of possession.
struct Seen: Sendable {
    let path: String
    let form: [String: String]
    let proof: String?
}

final class AuthorizationServer: @unchecked Sendable {
    /// What the resource calls itself; its metadata are here as well.
    let resource = Box("")
    let seen = Box<[Seen]>([])
    /// What it says of tokens that it is asked about.
    let tokens = Box<[String: [String: Value]]>([:])
    /// Whether clients may register by themselves.
    let registers: Bool
    let issuer: String
    /// What nobody else may read; each begins with the word that is looked for in what is written.
    static let (code, accessToken, refreshToken) = ("canary-code", "canary-access", "canary-refresh")
    private let listening: Int32

    init(registers: Bool = true) throws {
        self.registers = registers
        let port: UInt16
        (listening, port) = try listeningSocket()
        issuer = "http://127.0.0.1:\(port)"
        Thread.detachNewThread { [self] in
            answerPeers(listening) { head, body in
                let path = String(head[0].split(separator: " ")[1].split(separator: "?")[0])
                let proof = head.first { $0.lowercased().hasPrefix("dpop: ") }.map { String($0.dropFirst("dpop: ".count)) }
                let (status, text) = self.answer(path, body, proof)
                return Answered(status: status, text: text)
            }
        }
    }

    func stop() { shutdown(listening, Int32(SHUT_RDWR)) }

    /// The challenge of a server that trusts it.
    var challenge: String { "Bearer resource_metadata=\"\(issuer)/resource\"" }

    /// The forms that were sent to an endpoint.
    func forms(_ path: String) -> [[String: String]] { seen.value.filter { $0.path == path }.map(\.form) }

    private func answer(_ path: String, _ body: String, _ proof: String?) -> (Int, String) {
        let form = fields(body)
        seen.change { $0.append(Seen(path: path, form: form, proof: proof)) }
        let here: @Sendable (String) -> Value = { [issuer] in .string("\(issuer)/\($0)") }
        switch path {
        case "/resource":
            return (200, Value.object(["resource": .string(resource.value), "authorization_servers": [.string(issuer)]]).text)
        case "/.well-known/oauth-authorization-server":
            var about: [String: Value] = [
                "issuer": .string(issuer), "authorization_endpoint": here("authorize"), "token_endpoint": here("token"),
                "revocation_endpoint": here("revoke"), "introspection_endpoint": here("introspect"), "response_types_supported": ["code"],
                "code_challenge_methods_supported": ["S256"], "authorization_response_iss_parameter_supported": true,
                "token_endpoint_auth_methods_supported": ["none", "client_secret_basic", "private_key_jwt"],
            ]
            if registers { about["registration_endpoint"] = here("register") }
            return (200, Value.object(about).text)
        case "/register":
            var client = JSON(body).value.objectValue ?? [:]
            client["client_id"] = "registered"
            return (201, Value.object(client).text)
        case "/token":
            // Tokens are bound to the key of who has one.
            let kind = proof == nil ? "Bearer" : "DPoP"
            let tokens: [String: Value] = [
                "access_token": .string(Self.accessToken), "token_type": .string(kind), "expires_in": 3600,
                "refresh_token": .string(Self.refreshToken),
            ]
            return (200, Value.object(tokens).text)
        case "/introspect": return (200, Value.object(tokens.value[form["token"] ?? ""] ?? ["active": false]).text)
        case "/revoke": return (200, "{}")
        default: return (404, "{}")
        }
    }
}

/// What an endpoint answers.
struct Answered {
    var status: Int
    var headers = ""
    var text = "{}"
}

/// Answers requests of HTTP until the socket is shut down: `answer` is given the first line with the
/// headers, and the body, on a thread of its own.
func answerPeers(_ listening: Int32, _ answer: @escaping @Sendable (_ head: [String], _ body: String) -> Answered) {
    while case let peer = accept(listening, nil, nil), peer >= 0 {
        Thread.detachNewThread {
            defer { close(peer) }
            var got = Data()
            var bytes = [UInt8](repeating: 0, count: 16_384)
            while true {
                let count = read(peer, &bytes, bytes.count)
                if count <= 0 { return }
                got.append(contentsOf: bytes[..<count])
                let text = String(decoding: got, as: UTF8.self)
                guard let end = text.range(of: "\r\n\r\n") else { continue }
                let head = text[..<end.lowerBound].components(separatedBy: "\r\n")
                let size = head.first { $0.lowercased().hasPrefix("content-length: ") }.flatMap { Int($0.dropFirst("content-length: ".count)) }
                let body = String(text[end.upperBound...])
                if body.utf8.count < size ?? 0 { continue }
                let told = answer(head, body)
                let words = Data("""
                    HTTP/1.1 \(told.status) -\r\nContent-Type: application/json\r\nContent-Length: \(told.text.utf8.count)\r\n\
                    \(told.headers)Connection: close\r\n\r\n\(told.text)
                    """.utf8)
                _ = words.withUnsafeBytes { write(peer, $0.baseAddress, $0.count) }
                return
            }
        }
    }
}

/// A socket that listens on a free port of this machine, and the port.
func listeningSocket() throws -> (Int32, UInt16) {
    #if canImport(Darwin)
        let stream = SOCK_STREAM
    #else
        let stream = Int32(SOCK_STREAM.rawValue)
    #endif
    let file = socket(AF_INET, stream, 0)
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let bound = withUnsafeMutablePointer(to: &place) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            bind(file, $0, length) == 0 && listen(file, 16) == 0 && getsockname(file, $0, &length) == 0
        }
    }
    guard bound else { throw Fault("no port on this machine") }
    return (file, UInt16(bigEndian: place.sin_port))
}

/// The fields of a form or a query.
func fields(_ text: String) -> [String: String] {
    let pairs = text.split(separator: "&").map { pair in
        pair.split(separator: "=", maxSplits: 1).map { $0.replacingOccurrences(of: "+", with: " ").removingPercentEncoding ?? "" }
    }
    return Dictionary(pairs.filter { $0.count == 2 }.map { ($0[0], $0[1]) }, uniquingKeysWith: { $1 })
}
