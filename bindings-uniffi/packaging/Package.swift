// swift-tools-version: 6.0
// `apple.sh` puts this beside the sources, and fills in the two lines below for a release.
import PackageDescription

let released = ""
let checksum = ""

let engine: Target =
    released.isEmpty
    ? .binaryTarget(name: "MCPBoltEngineFFI", path: "MCPBoltEngineFFI.xcframework")
    : .binaryTarget(name: "MCPBoltEngineFFI", url: released, checksum: checksum)

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
                .linkedFramework("Security"),
                .linkedFramework("SystemConfiguration"),
                .linkedFramework("CoreFoundation"),
            ]
        ),
        .target(name: "MCPBolt", dependencies: ["MCPBoltEngine"]),
    ]
)
