// swift-tools-version: 6.2
import PackageDescription

// Whole programs that use the package as an app or a back end would. `.ci/package/examples` builds and runs each of
// them.
let package = Package(
    name: "examples",
    platforms: [.macOS(.v14), .iOS(.v17), .tvOS(.v17)],
    dependencies: [
        .package(name: "swift-access-enabler", path: "../.."),
        // The trait is the one of `Modules/VerificationService`, so that a folder for both builds compiles Hummingbird
        // once. The other one would add a package for configuration files.
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: ["FullFoundation"]),
    ],
    targets: [
        .executableTarget(name: "TerminalLogin", dependencies: [.client("TVEFlowEngine")]),
        .executableTarget(name: "SecondScreen", dependencies: [.client("TVEFlowEngine")]),
        .executableTarget(name: "OwnTransport", dependencies: [.client("TVEFlowEngine"), .client("TVENetworking")]),
        // As a new app of today: everything that does not say otherwise is on the main actor.
        .target(
            name: "ViewerApp", dependencies: [.client("TVEFlowEngine")],
            swiftSettings: [.defaultIsolation(MainActor.self)]),
        .target(
            name: "MainActorTypes",
            dependencies: [
                .client("AccessEnabler"), .client("TVEFlowEngine"), .client("TVEModels"), .client("TVENetworking"),
                .client("TVEStorage"), .client("TVETokenVerification"),
            ],
            swiftSettings: [.defaultIsolation(MainActor.self)]),
        .target(name: "PropertyListStorage", dependencies: [.client("TVEStorage")]),
        .executableTarget(
            name: "PlaybackGate",
            dependencies: [
                .client("TVETokenVerification"), .client("TVEModels"),
                .product(name: "Hummingbird", package: "hummingbird"),
            ]),
        .testTarget(
            name: "OwnTransportTests",
            dependencies: ["OwnTransport", .client("TVENetworking"), .client("TVETestSupport")]),
        .testTarget(
            name: "PropertyListStorageTests", dependencies: ["PropertyListStorage", .client("TVETestSupport")]),
        .testTarget(
            name: "ViewerAppTests", dependencies: ["ViewerApp", .client("TVEFlowEngine"), .client("TVETestSupport")],
            swiftSettings: [.defaultIsolation(MainActor.self)]),
        .testTarget(
            name: "MeasureTests",
            dependencies: [
                .client("TVESandbox"), .client("TVETestSupport"), .client("TVETokenCodec"), .client("TVEFlowEngine"),
                .client("TVEModels"), .client("TVEStorage"),
            ]),
    ])

extension Target.Dependency {
    static func client(_ product: String) -> Target.Dependency {
        .product(name: product, package: "swift-access-enabler")
    }
}
