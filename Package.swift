// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "swift-access-enabler",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18)],
    products: [
        .library(name: "AccessEnabler", targets: ["AccessEnabler"]),
        .library(name: "TVEModels", targets: ["TVEModels"]),
        .library(name: "TVETokenCodec", targets: ["TVETokenCodec"]),
        .library(name: "TVEDeviceBinding", targets: ["TVEDeviceBinding"]),
        .library(name: "TVEStorage", targets: ["TVEStorage"]),
        .library(name: "TVENetworking", targets: ["TVENetworking"]),
        .library(name: "TVETracking", targets: ["TVETracking"]),
        .library(name: "TVEFlowEngine", targets: ["TVEFlowEngine"]),
        .library(name: "TVESandbox", targets: ["TVESandbox"]),
        .library(name: "TVETestSupport", targets: ["TVETestSupport"]),
        .executable(name: "tve", targets: ["tve"]),
    ],
    // All on unless a package says otherwise. A back end that only verifies tokens, or whoever only wants the storage, depends on
    // this package with `traits: []`: what needs a trait that is off is neither fetched nor built (`.ci/one-module` holds that).
    traits: [
        .default(enabledTraits: ["Client", "Sandbox", "CommandLine"]),
        .trait(name: "Client", description: "Networking, tracking, flows and the classic API."),
        .trait(name: "Sandbox", description: "The local service provider."),
        .trait(name: "CommandLine", description: "The tool tve.", enabledTraits: ["Client", "Sandbox"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-crypto", "3.12.3"..<"5.0.0"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
    ],
    targets: [
        .systemLibrary(
            name: "CLibXML2", path: "Modules/CLibXML2", pkgConfig: "libxml-2.0",
            providers: [.apt(["libxml2-dev"]), .brew(["libxml2"])]),
        module("TVEModels", []),
        module("TVETokenCodec", ["TVEModels", "CLibXML2", .crypto, .cryptoExtras, .asn1]),
        module("TVEDeviceBinding", ["TVEModels", .crypto]),
        module("TVEStorage", ["TVEModels", .crypto]),
        module("TVENetworking", ["TVEModels", "TVETokenCodec", .httpTypes, .httpTypesFoundation]),
        module("TVETracking", ["TVEModels", .logging]),
        module(
            "TVEFlowEngine",
            [
                "TVEModels", "TVETokenCodec", "TVEDeviceBinding", "TVEStorage", "TVENetworking", "TVETracking", .crypto,
            ]),
        module(
            "AccessEnabler",
            ["TVEFlowEngine", "TVEModels", "TVEDeviceBinding", "TVEStorage", "TVENetworking", "TVETracking"]),
        module(
            "TVESandbox",
            ["TVEModels", "TVETokenCodec", .crypto, .cryptoExtras, .flyingFox, .flyingSocks, .httpTypes],
            resources: [
                .embedInCode("RESTv2/OpenAPI.json"), .embedInCode("Console/API/ConsoleAPI.json"),
                .embedInCode("Console/Assets/console.css"), .embedInCode("Console/Assets/console.js"),
                .embedInCode("Console/Assets/sequence.css"),
            ]),
        module(
            "TVETestSupport",
            [
                "AccessEnabler", "TVEFlowEngine", "TVEModels", "TVEStorage", "TVENetworking", .httpTypes,
                .httpTypesFoundation,
            ]),
        .executableTarget(
            name: "tve",
            dependencies: [
                "AccessEnabler", "TVEFlowEngine", "TVEModels", "TVETokenCodec", "TVEDeviceBinding", "TVEStorage",
                "TVENetworking", "TVETracking", "TVESandbox", "TVETestSupport", .argumentParser, .httpTypes,
                .httpTypesFoundation, .flyingFox, .flyingSocks,
            ],
            path: "Modules/tve"),
        tests("TVEModels", []),
        tests("TVETokenCodec", ["TVEModels", .cryptoExtras, .asn1]),
        tests("TVEDeviceBinding", ["TVEModels"]),
        tests("TVEStorage", ["TVEModels", "TVETestSupport", "StorageHammer"]),
        // One of several processes that use a store at once.
        .executableTarget(
            name: "StorageHammer", dependencies: ["TVEModels", "TVEStorage", "TVETestSupport", .crypto],
            path: "Tests/StorageHammer"),
        tests(
            "TVENetworking",
            [
                "TVEModels", "TVETokenCodec", "TVEFlowEngine", "TVESandbox", "TVETestSupport", .httpTypes,
                .httpTypesFoundation,
            ]),
        tests("TVETracking", ["TVEModels", .logging]),
        tests(
            "TVEFlowEngine",
            [
                "TVEModels", "TVETokenCodec", "TVEDeviceBinding", "TVEStorage", "TVENetworking", "TVETracking",
                "TVESandbox", "TVETestSupport", .httpTypes,
            ]),
        tests(
            "AccessEnabler",
            [
                "TVEModels", "TVEDeviceBinding", "TVEFlowEngine", "TVEStorage", "TVENetworking", "TVESandbox",
                "TVETestSupport", "RandomWalk", .httpTypes,
            ]),
        // Apps at random, every step decided by a seed: a process of its own, since it replaces the executor of all tasks.
        .executableTarget(
            name: "RandomWalk",
            dependencies: [
                "AccessEnabler", "TVEDeviceBinding", "TVEFlowEngine", "TVEModels", "TVENetworking", "TVESandbox",
                "TVEStorage",
                "TVETestSupport", .httpTypes,
            ], path: "Tests/RandomWalk"),
        .testTarget(
            name: "SourceCompatibilityTests",
            dependencies: ["AccessEnabler", "TVEModels", "TVESandbox", "TVETestSupport"],
            // Existing apps are written in this mode, and without the flags below.
            swiftSettings: [.swiftLanguageMode(.v5)]),
        tests(
            "TVESandbox",
            [
                "TVEModels", "TVETokenCodec", "TVENetworking", "TVETestSupport", .httpTypes, .httpTypesFoundation,
                .flyingSocks, .crypto,
            ]),
        tests("tve", ["TVEModels", "TVEStorage", "TVETokenCodec", "TVESandbox"]),
        .testTarget(name: "ArchitectureTests"),
        // Which documented rows a test holds.
        .target(name: "SpecificationRows", path: "Tests/SpecificationRows"),
    ],
    swiftLanguageModes: [.v6]
)

// The flags are the same for every Swift target, tests included:
for target in package.targets where target.type != .system && target.name != "SourceCompatibilityTests" {
    target.swiftSettings = [
        // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0335-existential-any.md
        .enableUpcomingFeature("ExistentialAny"),
        // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0409-access-level-on-imports.md
        .enableUpcomingFeature("InternalImportsByDefault"),
        // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0444-member-import-visibility.md
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
}

/// A library module: its folder is `Modules/<name>`.
func module(_ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = []) -> Target {
    .target(name: name, dependencies: dependencies, path: "Modules/\(name)", resources: resources)
}

/// The tests of one module: their folder is `Tests/<name>Tests`.
func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: "\(name)Tests", dependencies: [.init(stringLiteral: name), "SpecificationRows"] + dependencies)
}

extension Target.Dependency {
    static let crypto = product(name: "Crypto", package: "swift-crypto")
    static let cryptoExtras = product(name: "_CryptoExtras", package: "swift-crypto")
    static let logging = product(name: "Logging", package: "swift-log", condition: .when(traits: ["Client"]))
    static let asn1 = product(name: "SwiftASN1", package: "swift-asn1")
    static let httpTypes = product(
        name: "HTTPTypes", package: "swift-http-types", condition: .when(traits: ["Client", "Sandbox"]))
    static let httpTypesFoundation = product(
        name: "HTTPTypesFoundation", package: "swift-http-types", condition: .when(traits: ["Client"]))
    static let argumentParser = product(
        name: "ArgumentParser", package: "swift-argument-parser", condition: .when(traits: ["CommandLine"]))
    static let flyingFox = product(name: "FlyingFox", package: "FlyingFox", condition: .when(traits: ["Sandbox"]))
    static let flyingSocks = product(name: "FlyingSocks", package: "FlyingFox", condition: .when(traits: ["Sandbox"]))
}
