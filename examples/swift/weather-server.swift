// The shortest way to a useful server: a fixed table of cities, no network.
//   weather-server [--http HOST:PORT]
import Foundation
import MCPBolt

let weather = ["rome": ("sun", 24), "oslo": ("snow", -3), "lima": ("fog", 17)]

@main
struct WeatherServer {
    static func main() async throws {
        let server = Server(name: "weather", version: "1.0.0", instructions: "Ask for a city.")
        try await server.addTool(
            "get_forecast", description: "The weather of a city",
            inputSchema: [
                "type": "object", "properties": ["city": ["type": "string", "minLength": 1]], "required": ["city"],
            ],
            annotations: .init(readOnlyHint: true)
        ) { arguments, _ in
            let city = arguments["city"]?.stringValue ?? ""
            guard let (sky, degrees) = weather[city.lowercased()] else {
                return .init(content: [.text("There is no forecast for \(city).")], isError: true)
            }
            return .init(content: [.text("\(city): \(sky), \(degrees) °C")])
        }
        try await server.addResource(Resource(name: "cities", uri: "weather://cities", mimeType: "text/plain")) { uri, _ in
            .init(contents: [.text(weather.keys.sorted().joined(separator: "\n"), uri: uri, mimeType: "text/plain")])
        }
        try await serve(server)
    }

    /// Over HTTP if the command line says so, else on the standard streams.
    static func serve(_ server: Server) async throws {
        let arguments = CommandLine.arguments
        if arguments.count == 3, arguments[1] == "--http", let colon = arguments[2].lastIndex(of: ":"),
            let port = UInt16(arguments[2][arguments[2].index(after: colon)...])
        {
            let listener = try await server.serveHttp(host: String(arguments[2][..<colon]), port: port)
            FileHandle.standardError.write(Data("listening on \(listener.url)\n".utf8))
        } else {
            try await server.start(transport: StdioTransport())
        }
        await server.waitUntilCompleted()
    }
}
