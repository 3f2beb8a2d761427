// swift-tools-version: 6.0
// `apple.sh` and `linux.sh` put this beside the sources. For Apple's systems the engine is an
// XCFramework: the folder beside this file, or the archive that a release names in the two lines
// below. On Linux it is the library in `lib`, whose place is told by a flag: SwiftPM takes such a
// package from a folder of this machine, not by a version.
import PackageDescription

let released = ""
let checksum = ""

#if os(Linux)
    let engine: Target = .target(
        name: "MCPBoltEngineFFI",
        linkerSettings: [
            .unsafeFlags(["-L\(Context.packageDirectory)/lib"]),
            .linkedLibrary("mcpbolt_uniffi"),
        ]
    )
#else
    let engine: Target =
        released.isEmpty
        ? .binaryTarget(name: "MCPBoltEngineFFI", path: "MCPBoltEngineFFI.xcframework")
        : .binaryTarget(name: "MCPBoltEngineFFI", url: released, checksum: checksum)
#endif

let package = Package(
    name: "MCPBolt",
    platforms: [.iOS(.v16), .macOS(.v13)],
    products: [.library(name: "MCPBolt", targets: ["MCPBolt"])],
    targets: [
        engine,
        // Generated code, which is not written for the checks of Swift 6.
        .target(
            name: "MCPBoltEngine",
            dependencies: ["MCPBoltEngineFFI"],
            swiftSettings: [.swiftLanguageMode(.v5)],
            linkerSettings: [
                .linkedFramework("Security", .when(platforms: [.iOS, .macOS])),
                .linkedFramework("SystemConfiguration", .when(platforms: [.iOS, .macOS])),
                .linkedFramework("CoreFoundation", .when(platforms: [.iOS, .macOS])),
            ]
        ),
        .target(name: "MCPBolt", dependencies: ["MCPBoltEngine"]),
    ]
)
