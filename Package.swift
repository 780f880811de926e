// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "swift-access-enabler",
    // The first systems with `Duration`, which is part of public signatures. macOS 13 has it too, but was not checked
    // (Documentation/AppleSystems.md; `.ci/apple/availability` holds these versions).
    platforms: [.macOS(.v14), .iOS(.v16), .tvOS(.v16)],
    products: [
        .library(name: "AccessEnabler", targets: ["AccessEnabler"]),
        .library(name: "AccessEnablerHeaders", targets: ["AccessEnablerHeaders"]),
        .library(name: "TVEModels", targets: ["TVEModels"]),
        .library(name: "TVETokenCodec", targets: ["TVETokenCodec"]),
        .library(name: "TVETokenVerification", targets: ["TVETokenVerification"]),
        .library(name: "TVEDeviceBinding", targets: ["TVEDeviceBinding"]),
        .library(name: "TVEStorage", targets: ["TVEStorage"]),
        .library(name: "TVENetworking", targets: ["TVENetworking"]),
        .library(name: "TVEAsyncHTTPTransport", targets: ["TVEAsyncHTTPTransport"]),
        .library(name: "TVETracking", targets: ["TVETracking"]),
        .library(name: "TVEFlowEngine", targets: ["TVEFlowEngine"]),
        .library(name: "TVESandbox", targets: ["TVESandbox"]),
        .library(name: "TVESandboxConsole", targets: ["TVESandboxConsole"]),
        .library(name: "TVEConformance", targets: ["TVEConformance"]),
        .library(name: "TVETestSupport", targets: ["TVETestSupport"]),
        .executable(name: "tve", targets: ["tve"]),
    ],
    // Off by default: what only its module needs is neither fetched nor built.
    traits: [
        .trait(name: "AsyncHTTPTransport", description: "A transport for programs on Linux that run for long.")
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-crypto", "3.12.3"..<"5.0.0"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.2"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    ],
    targets: [
        // Not a system library: Xcode would find its headers only with a flag in every app.
        .target(name: "CTVELibXML2", path: "Modules/CTVELibXML2"),
        module("TVEModels", [], resources: [privacyManifest]),
        module("TVETokenCodec", ["TVEModels", "CTVELibXML2"]),
        module("TVETokenVerification", ["TVEModels", "TVETokenCodec", .crypto, .cryptoExtras, .asn1]),
        module("TVEDeviceBinding", ["TVEModels", .crypto]),
        module("TVEStorage", ["TVEModels", .crypto], exclude: ["Log/README.md"], resources: [privacyManifest]),
        module(
            "TVENetworking", ["TVEModels", "TVETokenCodec", .httpTypes, .httpTypesFoundation],
            resources: [privacyManifest]),
        module(
            "TVEAsyncHTTPTransport",
            [
                "TVEModels", "TVENetworking", .httpTypes, .asyncHTTPClient, .transportNIOSSL, .transportNIO("NIOCore"),
                .transportNIO("NIOHTTP1"), .transportNIO("NIOPosix"), .transportNIO("NIOFoundationCompat"),
            ]),
        module("TVETracking", ["TVEModels", .logging]),
        module(
            "TVEFlowEngine",
            [
                "TVEModels", "TVETokenCodec", "TVEDeviceBinding", "TVEStorage", "TVENetworking", "TVETracking", .crypto,
            ]),
        module(
            "AccessEnabler",
            ["TVEFlowEngine", "TVEModels", "TVEDeviceBinding", "TVEStorage", "TVENetworking", "TVETracking"]),
        // Headers that Objective-C code imports under their old names; compiled for nothing else.
        .target(name: "AccessEnablerHeaders", path: "Modules/AccessEnablerHeaders"),
        module(
            "TVESandbox",
            [
                "TVEModels", "TVETokenCodec", "TVETokenVerification", "CTVESandboxFiles", .crypto, .cryptoExtras,
                .flyingFox, .flyingSocks, .httpTypes,
            ],
            exclude: ["RESTv2/OpenAPI.json"]),
        // The files that the sandbox and its console serve.
        .target(name: "CTVESandboxFiles", path: "Modules/CTVESandboxFiles"),
        module("TVEConformance", ["TVEModels"]),
        module(
            "TVESandboxConsole", ["TVEModels", "TVETokenCodec", "TVESandbox", "TVEConformance", .crypto, .flyingFox],
            exclude: ["API/ConsoleAPI.json", "Assets"]),
        module(
            "TVETestSupport",
            [
                "AccessEnabler", "TVEFlowEngine", "TVEModels", "TVEStorage", "TVENetworking", .httpTypes,
                .httpTypesFoundation,
            ]),
        .executableTarget(
            name: "tve",
            dependencies: [
                "AccessEnabler", "TVEFlowEngine", "TVEModels", "TVETokenCodec", "TVETokenVerification",
                "TVEDeviceBinding", "TVEStorage", "TVENetworking", "TVETracking", "TVESandbox", "TVESandboxConsole",
                "TVEConformance", "TVETestSupport",
                .target(name: "TVEAsyncHTTPTransport", condition: .when(traits: ["AsyncHTTPTransport"])),
                .argumentParser, .httpTypes, .httpTypesFoundation, .flyingFox, .flyingSocks,
            ],
            path: "Modules/tve"),
        tests("TVEModels", ["TVETestSupport"]),
        tests("TVETokenCodec", ["TVEModels"]),
        tests("TVETokenVerification", ["TVEModels", "TVETokenCodec", .cryptoExtras, .asn1]),
        tests("TVEDeviceBinding", ["TVEModels"]),
        tests("TVEStorage", ["TVEModels", "TVETestSupport", "TVEStorageHammer"]),
        // One of several processes that use a store at once.
        .executableTarget(
            name: "TVEStorageHammer", dependencies: ["TVEModels", "TVEStorage", "TVETestSupport", .crypto],
            path: "Tests/TVEStorageHammer"),
        tests(
            "TVENetworking",
            [
                "TVEModels", "TVETokenCodec", "TVEFlowEngine", "TVESandbox", "TVETestSupport", .httpTypes,
                .httpTypesFoundation,
            ]),
        tests(
            "TVEAsyncHTTPTransport",
            ["TVEModels", "TVENetworking", "TVETestSupport", .httpTypes, .httpTypesFoundation]),
        tests("TVETracking", ["TVEModels", .logging]),
        tests(
            "TVEFlowEngine",
            [
                "TVEModels", "TVETokenCodec", "TVETokenVerification", "TVEDeviceBinding", "TVEStorage", "TVENetworking",
                "TVETracking", "TVESandbox", "TVETestSupport", .httpTypes,
            ]),
        tests(
            "AccessEnabler",
            [
                "TVEModels", "TVEDeviceBinding", "TVEFlowEngine", "TVEStorage", "TVENetworking", "TVESandbox",
                "TVETestSupport", "TVERandomWalk", .httpTypes,
            ]),
        // Apps at random, every step decided by a seed; a process of its own, since it replaces the executor of all.
        .executableTarget(
            name: "TVERandomWalk",
            dependencies: [
                "AccessEnabler", "TVEDeviceBinding", "TVEFlowEngine", "TVEModels", "TVENetworking", "TVESandbox",
                "TVEStorage", "TVETestSupport", .httpTypes,
            ], path: "Tests/TVERandomWalk"),
        .testTarget(
            name: "SourceCompatibilityTests",
            dependencies: [
                "AccessEnabler", "TVEModels", "TVENetworking", "TVESandbox", "TVETestSupport", "TVETestTraits",
            ],
            // Existing apps are written in this mode, and without the flags below.
            swiftSettings: [.swiftLanguageMode(.v5)]),
        tests(
            "TVESandbox",
            [
                "TVEModels", "TVETokenCodec", "TVETokenVerification", "TVENetworking", "TVESandboxConsole",
                "TVETestSupport", .httpTypes, .httpTypesFoundation, .flyingSocks, .crypto,
            ]),
        tests(
            "TVEConformance",
            [
                "TVEDeviceBinding", "TVEFlowEngine", "TVEModels", "TVENetworking", "TVESandbox", "TVESandboxConsole",
                "TVEStorage", "TVETestSupport", .httpTypes, .httpTypesFoundation,
            ]),
        tests(
            "tve",
            [
                "TVEConformance", "TVEDeviceBinding", "TVEFlowEngine", "TVEModels", "TVENetworking", "TVESandbox",
                "TVESandboxConsole", "TVEStorage", "TVETestSupport", "TVETokenCodec", "TVETokenVerification",
                "TVETracking", .httpTypes, .httpTypesFoundation,
            ]),
        .testTarget(name: "ArchitectureTests", dependencies: ["TVEModels", "TVETestTraits"]),
        // Which documented rows a test holds, how many tests run at a time, and how long something takes that hangs.
        .target(name: "TVETestTraits", path: "Tests/TVETestTraits"),
    ],
    swiftLanguageModes: [.v6]
)

// The flags are the same for every Swift target, tests included:
let others = ["SourceCompatibilityTests", "AccessEnablerHeaders", "CTVELibXML2", "CTVESandboxFiles"]
for target in package.targets where target.type != .system && !others.contains(target.name) {
    target.swiftSettings = [
        // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0335-existential-any.md
        .enableUpcomingFeature("ExistentialAny"),
        // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0409-access-level-on-imports.md
        .enableUpcomingFeature("InternalImportsByDefault"),
        // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0444-member-import-visibility.md
        .enableUpcomingFeature("MemberImportVisibility"),
        // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0458-strict-memory-safety.md
        .strictMemorySafety(),
    ]
}

// The sanitizers build only the test targets that TVE_ONLY names, and what these need: the rest takes as long again.
if let chosen = Context.environment["TVE_ONLY"]?.split(separator: ",").map(String.init) {
    var needed = Set(chosen)
    var unread = chosen
    while let name = unread.popLast() {
        for dependency in package.targets.first(where: { $0.name == name })?.dependencies ?? [] {
            switch dependency {
            case .targetItem(let name, _), .byNameItem(let name, _):
                if needed.insert(name).inserted { unread.append(name) }
            default: break
            }
        }
    }
    package.targets.removeAll { !needed.contains($0.name) }
    package.products = []
}

// `--sanitize` would compile all packages again. The sanitizers are for this one's code: TVE_SANITIZE names one.
if let sanitizer = Context.environment["TVE_SANITIZE"] {
    let flag = "-sanitize=\(sanitizer)"
    for target in package.targets where target.type != .system {
        // A report names functions. Debug information would only make these builds longer.
        target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags([flag, "-Xfrontend", "-gnone"])]
        target.linkerSettings = (target.linkerSettings ?? []) + [.unsafeFlags([flag])]
    }
}

/// A library module: its folder is `Modules/<name>`.
func module(
    _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = [], resources: [Resource] = []
) -> Target {
    .target(name: name, dependencies: dependencies, path: "Modules/\(name)", exclude: exclude, resources: resources)
}

/// The tests of one module: their folder is `Tests/<name>Tests`.
func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: "\(name)Tests", dependencies: [.init(stringLiteral: name), "TVETestTraits"] + dependencies)
}

/// What a module says about the viewer's privacy (Documentation/AppleSystems.md).
var privacyManifest: Resource { .copy("PrivacyInfo.xcprivacy") }

extension Target.Dependency {
    static let crypto = product(name: "Crypto", package: "swift-crypto")
    static let cryptoExtras = product(name: "_CryptoExtras", package: "swift-crypto")
    static let logging = product(name: "Logging", package: "swift-log")
    static let asn1 = product(name: "SwiftASN1", package: "swift-asn1")
    static let httpTypes = product(name: "HTTPTypes", package: "swift-http-types")
    static let httpTypesFoundation = product(name: "HTTPTypesFoundation", package: "swift-http-types")
    static let argumentParser = product(name: "ArgumentParser", package: "swift-argument-parser")
    static let flyingFox = product(name: "FlyingFox", package: "FlyingFox")
    static let flyingSocks = product(name: "FlyingSocks", package: "FlyingFox")
    // What `AsyncHTTPTransport` alone needs: with the trait off none of these is fetched.
    static let asyncHTTPClient = product(
        name: "AsyncHTTPClient", package: "async-http-client", condition: asyncTransport)
    static let transportNIOSSL = product(name: "NIOSSL", package: "swift-nio-ssl", condition: asyncTransport)
    static func transportNIO(_ name: String) -> Self {
        product(name: name, package: "swift-nio", condition: asyncTransport)
    }
    private static var asyncTransport: TargetDependencyCondition? { .when(traits: ["AsyncHTTPTransport"]) }
}
