// swift-tools-version: 6.0
// The contestants in Swift. `build.sh` has the package that users get beside this folder.
import PackageDescription

let ours: [Target.Dependency] = ["shared", .product(name: "MCPBolt", package: "MCPBolt")]

let package = Package(
    name: "contestants",
    platforms: [.macOS(.v13)],
    dependencies: [.package(path: "../linux/MCPBolt")],
    targets: [
        .target(name: "shared", path: "shared"),
        .executableTarget(name: "server", dependencies: ours, path: "server"),
        .executableTarget(name: "client", dependencies: ours, path: "client"),
    ]
)
