// swift-tools-version: 6.2
import PackageDescription

// The service that verifies media tokens for a fleet of back ends. It is a package of its own, so that users of the
// client neither fetch nor resolve dependencies that only the service has. It depends on the client's package by path,
// for people with a checkout, a copy or a split of this folder (Documentation/VerificationService.md).
let package = Package(
    name: "tve-verifier",
    // macOS 15 is the first version with `String(validating:as:)`.
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "TVERedisUses", targets: ["TVERedisUses"]),
        .library(name: "TVEVerification", targets: ["TVEVerification"]),
        .executable(name: "tve-verifier", targets: ["tve-verifier"]),
    ],
    dependencies: [
        .package(name: "swift-access-enabler", path: "../.."),
        .package(url: "https://github.com/apple/swift-crypto", "3.12.3"..<"5.0.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: ["FullFoundation"]),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    ],
    targets: [
        // There is no pkgConfig, because the package manager would warn about a flag in Debian's file for hiredis, and
        // wherever the libraries are not installed.
        .systemLibrary(
            name: "CTVEHiredis", path: "CTVEHiredis", providers: [.apt(["libhiredis-dev"]), .brew(["hiredis"])]),
        .systemLibrary(
            name: "CTVEOpenSSL", path: "CTVEOpenSSL", providers: [.apt(["libssl-dev"]), .brew(["openssl"])]),
        .target(
            name: "TVERedisUses",
            dependencies: [.models, .verification, .nioConcurrency, "CTVEHiredis", "CTVEOpenSSL"],
            path: "TVERedisUses"),
        .target(
            name: "TVEVerification",
            dependencies: [
                .models, .verification, .crypto, .hummingbird, .httpTypes, .nioCore, .nioConcurrency, .serviceLifecycle,
                .metrics, .logging,
            ],
            path: "TVEVerification", resources: [.embedInCode("HTTP/VerifierOpenAPI.json")]),
        .executableTarget(
            name: "tve-verifier",
            dependencies: [
                .models, .verification, "TVEVerification", "TVERedisUses", .argumentParser, .httpTypes, .hummingbird,
                .hummingbirdCore, .hummingbirdTLS, .nioConcurrency, .nioCore,
                .nioHTTP1, .nioHTTPTypes, .nioHTTPTypesHTTP1,
                .nioSSL, .serviceLifecycle,
                .unixSignals,
                .metrics, .logging, .yams,
            ],
            path: "tve-verifier"),
        // Real servers, verifiers and tokens for the tests.
        .target(
            name: "TVEFleetFixture", dependencies: [.models, .codec, .verification, .nioConcurrency, .cryptoExtras],
            path: "Tests/TVEFleetFixture"),
        .executableTarget(
            name: "TVEFleetTool",
            dependencies: [
                "TVEFleetFixture", .models, .verification, "TVERedisUses", .httpTypes, .hummingbird, .nioCore, .logging,
            ],
            path: "Tests/TVEFleetTool"),
        .testTarget(
            name: "TVERedisUsesTests",
            dependencies: [
                "TVERedisUses", "TVETestTraits", "TVEFleetFixture", .models, .verification, .nioConcurrency,
            ]),
        .testTarget(
            name: "TVEVerificationTests",
            dependencies: [
                "TVEVerification", "TVETestTraits", "TVEFleetFixture", .models, .verification, "TVERedisUses",
                "tve-verifier", .hummingbird, .nioConcurrency, .metrics, .logging,
            ]),
        // This folder is a link to that of the client's package, because helpers of tests are not a product.
        .target(name: "TVETestTraits", path: "Tests/TVETestTraits"),
    ],
    swiftLanguageModes: [.v6]
)

// The flags are those of the client's package.
for target in package.targets where target.type != .system {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .strictMemorySafety(),
    ]
}

extension Target.Dependency {
    static let models = product(name: "TVEModels", package: "swift-access-enabler")
    static let codec = product(name: "TVETokenCodec", package: "swift-access-enabler")
    static let verification = product(name: "TVETokenVerification", package: "swift-access-enabler")
    static let crypto = product(name: "Crypto", package: "swift-crypto")
    static let cryptoExtras = product(name: "_CryptoExtras", package: "swift-crypto")
    static let httpTypes = product(name: "HTTPTypes", package: "swift-http-types")
    static let logging = product(name: "Logging", package: "swift-log")
    static let argumentParser = product(name: "ArgumentParser", package: "swift-argument-parser")
    static let hummingbird = product(name: "Hummingbird", package: "hummingbird")
    static let hummingbirdCore = product(name: "HummingbirdCore", package: "hummingbird")
    static let hummingbirdTLS = product(name: "HummingbirdTLS", package: "hummingbird")
    static let nioConcurrency = product(name: "NIOConcurrencyHelpers", package: "swift-nio")
    static let nioCore = product(name: "NIOCore", package: "swift-nio")
    static let nioHTTPTypes = product(name: "NIOHTTPTypes", package: "swift-nio-extras")
    static let nioHTTP1 = product(name: "NIOHTTP1", package: "swift-nio")
    static let nioHTTPTypesHTTP1 = product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras")
    static let nioSSL = product(name: "NIOSSL", package: "swift-nio-ssl")
    static let serviceLifecycle = product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
    static let unixSignals = product(name: "UnixSignals", package: "swift-service-lifecycle")
    static let metrics = product(name: "Metrics", package: "swift-metrics")
    static let yams = product(name: "Yams", package: "Yams")
}
