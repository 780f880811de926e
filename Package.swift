// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "swift-access-enabler",
    // iOS and tvOS since `Duration`, which is part of public signatures, is there; macOS as Hummingbird wants it
    // (Documentation/AppleSystems.md; `.ci/apple/availability` holds it).
    platforms: [.macOS(.v14), .iOS(.v16), .tvOS(.v16)],
    products: [
        // A library of its own kind only for `.ci/apple/xcframework`, which makes a framework of it.
        .library(
            name: "AccessEnabler", type: Context.environment["TVE_FRAMEWORK"] == nil ? nil : .dynamic,
            targets: ["AccessEnabler"]),
        .library(name: "AccessEnablerHeaders", targets: ["AccessEnablerHeaders"]),
        .library(name: "TVEModels", targets: ["TVEModels"]),
        .library(name: "TVETokenCodec", targets: ["TVETokenCodec"]),
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
        .library(name: "TVERedisUses", targets: ["TVERedisUses"]),
        .library(name: "TVEVerification", targets: ["TVEVerification"]),
        .executable(name: "tve", targets: ["tve"]),
        .executable(name: "tve-verifier", targets: ["tve-verifier"]),
    ],
    // All but the last two on unless a package says otherwise. A back end that only verifies tokens, or an app that only uses the storage, depends on
    // this package with `traits: []`: what needs a trait that is off is neither fetched nor built (`.ci/package/one-module` holds that).
    traits: [
        // One alone, which means the others too: the package manager passes a flag for each trait that is on, in the order of
        // a set, and compiles everything again when a later command orders them in another way.
        .default(enabledTraits: ["CommandLine"]),
        .trait(name: "Client", description: "Networking, tracking, flows and the classic API."),
        .trait(name: "Sandbox", description: "The local service provider, and its console."),
        .trait(name: "CommandLine", description: "The tool tve, with all that the client and the sandbox need."),
        .trait(
            name: "VerificationService",
            description: "Media tokens judged over HTTP for a fleet of back ends; needs hiredis and OpenSSL."),
        .trait(
            name: "AsyncHTTPTransport", description: "A transport for programs on Linux that run for long.",
            enabledTraits: ["Client"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-crypto", "3.12.3"..<"5.0.0"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: ["FullFoundation"]),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    ],
    targets: [
        // Not a system library: Xcode would find its headers only with a flag in every app.
        .target(name: "CLibXML2", path: "Modules/CLibXML2"),
        // No pkgConfig: the package manager would warn in every build, trait or not; of a flag in Debian's file for hiredis, and
        // where the libraries are not installed.
        .systemLibrary(
            name: "CHiredis", path: "Modules/CHiredis", providers: [.apt(["libhiredis-dev"]), .brew(["hiredis"])]),
        .systemLibrary(
            name: "COpenSSL", path: "Modules/COpenSSL", providers: [.apt(["libssl-dev"]), .brew(["openssl"])]),
        module("TVEModels", [], resources: [privacyManifest]),
        module("TVETokenCodec", ["TVEModels", "CLibXML2", .crypto, .cryptoExtras, .asn1]),
        module("TVEDeviceBinding", ["TVEModels", .crypto]),
        module("TVEStorage", ["TVEModels", .crypto], exclude: ["Log/README.md"], resources: [privacyManifest]),
        module(
            "TVENetworking", ["TVEModels", "TVETokenCodec", .httpTypes, .httpTypesFoundation],
            resources: [privacyManifest]),
        module(
            "TVEAsyncHTTPTransport",
            [
                "TVEModels", "TVENetworking", .httpTypes, .asyncHTTPClient, .transportNIO("NIOCore"),
                .transportNIO("NIOHTTP1"), .transportNIO("NIOPosix"), .transportNIO("NIOFoundationCompat"),
                .transportNIOSSL,
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
            ["TVEModels", "TVETokenCodec", .crypto, .cryptoExtras, .flyingFox, .flyingSocks, .httpTypes],
            resources: [.embedInCode("RESTv2/OpenAPI.json")]),
        module("TVEConformance", ["TVEModels"]),
        module(
            "TVESandboxConsole", ["TVEModels", "TVETokenCodec", "TVESandbox", "TVEConformance", .crypto, .flyingFox],
            resources: [
                .embedInCode("API/ConsoleAPI.json"), .embedInCode("Assets/console.css"),
                .embedInCode("Assets/sequence.css"), .embedInCode("Assets/console.js"),
                .embedInCode("Assets/conformance.css"), .embedInCode("Assets/conformance.js"),
                .embedInCode("Assets/changes.js"), .embedInCode("Assets/connection.js"),
                .embedInCode("Assets/exchanges.js"), .embedInCode("Assets/keyboard.js"),
                .embedInCode("Assets/notes.js"), .embedInCode("Assets/page.js"), .embedInCode("Assets/stream.js"),
                .embedInCode("Assets/worker.js"), .embedInCode("Assets/text.js"),
                .embedInCode("Assets/world.js"),
            ]),
        module(
            "TVETestSupport",
            [
                "AccessEnabler", "TVEFlowEngine", "TVEModels", "TVETokenCodec", "TVEStorage", "TVENetworking",
                .httpTypes, .httpTypesFoundation,
            ]),
        module("TVERedisUses", ["TVEModels", "TVETokenCodec", .hiredis, .openSSL, .tracing]),
        module(
            "TVEVerification",
            [
                "TVEModels", "TVETokenCodec", .crypto, .hummingbird, .serviceHTTPTypes, .nioCore, .serviceLifecycle,
                .metrics, .logging, .tracing,
            ],
            resources: [.embedInCode("HTTP/VerifierOpenAPI.json")]),
        .executableTarget(
            name: "tve-verifier",
            dependencies: [
                "TVEModels", "TVETokenCodec", "TVEVerification", "TVERedisUses", .argumentParser, .serviceHTTPTypes,
                .hummingbird, .hummingbirdCore, .hummingbirdTLS, .nioCore, .nioHTTPTypes, .nioSSL, .serviceLifecycle,
                .unixSignals, .metrics, .logging, .yams,
            ],
            path: "Modules/tve-verifier"),
        .executableTarget(
            name: "tve",
            dependencies: [
                "AccessEnabler", "TVEFlowEngine", "TVEModels", "TVETokenCodec", "TVEDeviceBinding", "TVEStorage",
                "TVENetworking", "TVETracking", "TVESandbox", "TVESandboxConsole", "TVEConformance", "TVETestSupport",
                .target(name: "TVEAsyncHTTPTransport", condition: .when(traits: ["AsyncHTTPTransport"])),
                .argumentParser, .httpTypes, .httpTypesFoundation, .flyingFox, .flyingSocks,
            ],
            path: "Modules/tve"),
        tests("TVEModels", ["TVETestSupport"]),
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
        tests(
            "TVEAsyncHTTPTransport",
            ["TVEModels", "TVENetworking", "TVETestSupport", .httpTypes, .httpTypesFoundation]),
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
            dependencies: [
                "AccessEnabler", "TVEModels", "TVENetworking", "TVESandbox", "TVETestSupport", "TestTraits",
            ],
            // Existing apps are written in this mode, and without the flags below.
            swiftSettings: [.swiftLanguageMode(.v5)]),
        tests(
            "TVESandbox",
            [
                "TVEModels", "TVETokenCodec", "TVENetworking", "TVESandboxConsole", "TVETestSupport", .httpTypes,
                .httpTypesFoundation, .flyingSocks, .crypto,
            ]),
        tests(
            "TVEConformance",
            [
                "TVEDeviceBinding", "TVEFlowEngine", "TVEModels", "TVENetworking", "TVESandbox", "TVESandboxConsole",
                "TVEStorage", "TVETestSupport", .httpTypes, .httpTypesFoundation,
            ]),
        tests("tve", ["TVEModels", "TVEStorage", "TVETokenCodec", "TVESandbox", "TVESandboxConsole"]),
        // Real servers, verifiers and tokens for the tests of the verification service.
        .target(
            name: "FleetFixture", dependencies: ["TVEModels", "TVETokenCodec", .cryptoExtras],
            path: "Tests/FleetFixture"),
        .executableTarget(
            name: "FleetTool",
            dependencies: [
                "FleetFixture", "TVEModels", "TVERedisUses", "TVETokenCodec", .serviceHTTPTypes, .hummingbird, .nioCore,
                .logging,
            ],
            path: "Tests/FleetTool"),
        tests(
            "TVERedisUses",
            ["FleetFixture", "TVEModels", "TVETokenCodec", "TVETestSupport", .tracing, .inMemoryTracing]),
        tests(
            "TVEVerification",
            [
                "FleetFixture", "TVEModels", "TVETokenCodec", "TVERedisUses", "tve-verifier", .hummingbird, .metrics,
                .logging, .tracing, .inMemoryTracing,
            ]),
        .testTarget(name: "ArchitectureTests", dependencies: ["TestTraits"]),
        // Which documented rows a test holds, how many tests run at a time, and how long something takes that hangs.
        .target(name: "TestTraits", path: "Tests/TestTraits"),
    ],
    swiftLanguageModes: [.v6]
)

// The flags are the same for every Swift target, tests included:
let others = ["SourceCompatibilityTests", "AccessEnablerHeaders", "CLibXML2"]
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

// The sanitizers build only the test targets that TVE_ONLY names, and what these need: all the rest would take as long again.
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
    for target in package.targets where target.type != .system {
        target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-sanitize=\(sanitizer)"])]
        target.linkerSettings = (target.linkerSettings ?? []) + [.unsafeFlags(["-sanitize=\(sanitizer)"])]
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
    .testTarget(name: "\(name)Tests", dependencies: [.init(stringLiteral: name), "TestTraits"] + dependencies)
}

/// What a module says about the viewer's privacy (Documentation/AppleSystems.md).
var privacyManifest: Resource { .copy("PrivacyInfo.xcprivacy") }

extension Target.Dependency {
    static let crypto = product(name: "Crypto", package: "swift-crypto")
    static let cryptoExtras = product(name: "_CryptoExtras", package: "swift-crypto")
    static let logging = product(
        name: "Logging", package: "swift-log",
        condition: .when(traits: ["Client", "CommandLine", "VerificationService"]))
    static let asn1 = product(name: "SwiftASN1", package: "swift-asn1")
    static let httpTypes = product(
        name: "HTTPTypes", package: "swift-http-types", condition: .when(traits: ["Client", "Sandbox", "CommandLine"]))
    static let httpTypesFoundation = product(
        name: "HTTPTypesFoundation", package: "swift-http-types", condition: .when(traits: ["Client", "CommandLine"]))
    static let argumentParser = product(
        name: "ArgumentParser", package: "swift-argument-parser",
        condition: .when(traits: ["CommandLine", "VerificationService"]))
    static let flyingFox = product(
        name: "FlyingFox", package: "FlyingFox", condition: .when(traits: ["Sandbox", "CommandLine"]))
    static let flyingSocks = product(
        name: "FlyingSocks", package: "FlyingFox", condition: .when(traits: ["Sandbox", "CommandLine"]))
    // What the verification service alone needs: with its trait off none of these is fetched.
    static let hiredis = target(name: "CHiredis", condition: service)
    static let openSSL = target(name: "COpenSSL", condition: service)
    static let hummingbird = product(name: "Hummingbird", package: "hummingbird", condition: service)
    static let hummingbirdCore = product(name: "HummingbirdCore", package: "hummingbird", condition: service)
    static let hummingbirdTLS = product(name: "HummingbirdTLS", package: "hummingbird", condition: service)
    static let serviceHTTPTypes = product(name: "HTTPTypes", package: "swift-http-types", condition: service)
    static let nioCore = product(name: "NIOCore", package: "swift-nio", condition: service)
    static let nioHTTPTypes = product(name: "NIOHTTPTypes", package: "swift-nio-extras", condition: service)
    static let nioSSL = product(name: "NIOSSL", package: "swift-nio-ssl", condition: service)
    static let unixSignals = product(name: "UnixSignals", package: "swift-service-lifecycle", condition: service)
    static let serviceLifecycle = product(
        name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: service)
    static let metrics = product(name: "Metrics", package: "swift-metrics", condition: service)
    static let tracing = product(name: "Tracing", package: "swift-distributed-tracing", condition: service)
    static let inMemoryTracing = product(
        name: "InMemoryTracing", package: "swift-distributed-tracing", condition: service)
    static let yams = product(name: "Yams", package: "Yams", condition: service)
    // What `AsyncHTTPTransport` alone needs.
    static let asyncHTTPClient = product(
        name: "AsyncHTTPClient", package: "async-http-client", condition: asyncTransport)
    static let transportNIOSSL = product(name: "NIOSSL", package: "swift-nio-ssl", condition: asyncTransport)
    static func transportNIO(_ name: String) -> Self {
        product(name: name, package: "swift-nio", condition: asyncTransport)
    }
    private static var asyncTransport: TargetDependencyCondition? { .when(traits: ["AsyncHTTPTransport"]) }
    private static var service: TargetDependencyCondition? { .when(traits: ["VerificationService"]) }
}
