// swift-tools-version: 6.2
import PackageDescription

// This package is for Linux only. It compiles the product's sources together with stand-ins for Apple's frameworks, so
// that conditions such as `canImport(Security)` and `canImport(UIKit)` are true and the code under them runs.
// `.ci/apple/stand-ins` runs its tests. The stand-ins behave as Apple's pages and headers state, and each rule cites
// its source. Conditions on the system itself (`os(iOS)`) remain false, so only Apple's compilers see the code under
// those (`.github/workflows/apple.yml`).
let package = Package(
    name: "AppleSide",
    dependencies: [
        .package(url: "https://github.com/apple/swift-crypto", "3.12.3"..<"5.0.0"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
    ],
    targets: [
        standIn("AppleDevice", []),
        standIn("Security", ["AppleDevice"]),
        standIn("UIKit", ["AppleDevice"]),
        standIn("VideoSubscriberAccount", ["AppleDevice", "UIKit"]),
        standIn("AuthenticationServices", ["AppleDevice", "UIKit"]),
        standIn("Network", ["AppleDevice"]),
        standIn("os", ["AppleDevice"]),
        standIn("SwiftUI", []),
        // How apps hand URLs to the library (Documentation/AppleSystems.md).
        .target(name: "OpenedURLs", dependencies: ["AccessEnabler", "UIKit", "SwiftUI"], path: "OpenedURLs"),

        .target(name: "CTVELibXML2", path: "Modules/CTVELibXML2"),
        module("TVEModels", [], resources: [privacyManifest]),
        module("TVETokenCodec", ["TVEModels", "CTVELibXML2"]),
        module("TVETokenVerification", ["TVEModels", "TVETokenCodec", .crypto, .cryptoExtras, .asn1]),
        module("TVEDeviceBinding", ["TVEModels", "UIKit", .crypto]),
        module(
            "TVEStorage", ["TVEModels", "Security", "UIKit", .crypto], exclude: ["Log/README.md"],
            resources: [privacyManifest]),
        module(
            "TVENetworking", ["TVEModels", "TVETokenCodec", "Network", .httpTypes, .httpTypesFoundation],
            resources: [privacyManifest]),
        module("TVETracking", ["TVEModels", .logging]),
        module(
            "TVEFlowEngine",
            [
                "TVEModels", "TVETokenCodec", "TVEDeviceBinding", "TVEStorage", "TVENetworking", "TVETracking",
                "UIKit", "VideoSubscriberAccount", .crypto,
            ]),
        module(
            "AccessEnabler",
            [
                "TVEFlowEngine", "TVEModels", "TVEDeviceBinding", "TVEStorage", "TVENetworking", "TVETracking",
                "UIKit", "AuthenticationServices", "Security", "os",
            ]),
        module(
            "TVESandbox",
            [
                "TVEModels", "TVETokenCodec", "TVETokenVerification", "CTVESandboxFiles", .crypto, .cryptoExtras,
                .flyingFox, .flyingSocks, .httpTypes,
            ],
            exclude: ["RESTv2/OpenAPI.json"]),
        .target(name: "CTVESandboxFiles", path: "Modules/CTVESandboxFiles"),
        module(
            "TVETestSupport",
            [
                "AccessEnabler", "TVEFlowEngine", "TVEModels", "TVEStorage", "TVENetworking", .httpTypes,
                .httpTypesFoundation,
            ]),
        .target(name: "TVETestTraits", path: "TVETestTraits"),
        .testTarget(
            name: "AppleSideTests",
            dependencies: [
                "AppleDevice", "Security", "UIKit", "VideoSubscriberAccount", "AuthenticationServices",
                "Network", "SwiftUI", "OpenedURLs", "AccessEnabler", "TVEDeviceBinding", "TVEFlowEngine", "TVEModels",
                "TVENetworking", "TVEStorage",
                "TVESandbox", "TVETestSupport", "TVETestTraits", .crypto,
            ],
            path: "Tests"),
    ],
    swiftLanguageModes: [.v6]
)

// The flags are those of the product's package.
for target in package.targets where target.type != .system {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        // The option `--enable-code-coverage` would compile all other packages again.
        .unsafeFlags(["-profile-generate", "-profile-coverage-mapping"]),
        // Tests that run at the same time would lose counts of each other. The count of a line may be the difference
        // of two others, so a line that ran would sometimes have none.
        .unsafeFlags(["-Xllvm", "-instrprof-atomic-counter-update-all"]),
    ]
    // The stand-ins are not checked, because they consist of the pointers in Apple's headers.
    if target.path?.hasPrefix("Modules/") == true { target.swiftSettings?.append(.strictMemorySafety()) }
    // The index is beside that of the product's own build, whose units have the same names. The index of the tests
    // stays where it is, because the package manager reads it.
    if target.type != .test {
        let index = Context.packageDirectory + "/.build/index"
        target.swiftSettings?.append(.unsafeFlags(["-index-store-path", index]))
    }
    target.linkerSettings = [.unsafeFlags(["-profile-generate"])]
}

// The toolchain expects a third module where Testing and UIKit are used together, and it exists only with Apple's
// UIKit.
for target in package.targets where target.isTest {
    target.swiftSettings?.append(.unsafeFlags(["-Xfrontend", "-disable-cross-import-overlays"]))
}

/// Returns the target of a stand-in for one of Apple's frameworks, or of a module that they all use.
func standIn(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .target(name: name, dependencies: dependencies, path: "StandIns/\(name)")
}

/// Returns the target of a module of the product, whose folder is linked as `Modules`.
func module(
    _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = [], resources: [Resource] = []
) -> Target {
    .target(name: name, dependencies: dependencies, path: "Modules/\(name)", exclude: exclude, resources: resources)
}

/// The resource with a module's statement about the viewer's privacy.
var privacyManifest: Resource { .copy("PrivacyInfo.xcprivacy") }

extension Target.Dependency {
    static let crypto = product(name: "Crypto", package: "swift-crypto")
    static let cryptoExtras = product(name: "_CryptoExtras", package: "swift-crypto")
    static let logging = product(name: "Logging", package: "swift-log")
    static let asn1 = product(name: "SwiftASN1", package: "swift-asn1")
    static let httpTypes = product(name: "HTTPTypes", package: "swift-http-types")
    static let httpTypesFoundation = product(name: "HTTPTypesFoundation", package: "swift-http-types")
    static let flyingFox = product(name: "FlyingFox", package: "FlyingFox")
    static let flyingSocks = product(name: "FlyingSocks", package: "FlyingFox")
}
