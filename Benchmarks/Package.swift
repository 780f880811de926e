// swift-tools-version: 6.1
import Foundation
import PackageDescription

// The transport over async-http-client takes many packages to build, and only one row of Documentation/Performance.md
// needs it.
let hasAsyncHTTP = ProcessInfo.processInfo.environment["TVE_ASYNC_HTTP"] == "1"

// Peers whose Debian packages are not installed are left out, and the benchmarks with them (Benchmarks/README.md).
func hasHeaders(_ names: String...) -> Bool {
    names.allSatisfy { FileManager.default.fileExists(atPath: "/usr/include/\($0)") }
}
let hasDatabases = hasHeaders("sqlite3.h", "lmdb.h")
let hasSimdJSON = hasHeaders("simdjson.h")

// This is a separate package, so that users never depend on the peers of the benchmarks. Run it with `swift test
// --package-path Benchmarks -c release`.
let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(
            name: "swift-access-enabler", path: "..",
            traits: hasAsyncHTTP ? ["AsyncHTTPTransport"] : []),
        .package(url: "https://github.com/CoreOffice/XMLCoder", from: "0.17.1"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-crypto", "3.12.3"..<"5.0.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    ],
    targets: [
        // The codec's dependency finds the headers of libxml2.
        .target(
            name: "CBareLibXML2", dependencies: [.codec], path: "Peers/CBareLibXML2",
            linkerSettings: [.linkedLibrary("xml2")]),
        .target(name: "Harness", dependencies: [.models, .codec, "CBareLibXML2"], path: "Harness"),
        // Apart from the harness, so that `Counted` compiles no cryptography.
        .target(name: "Stores", dependencies: [.models, .codec, .storage], path: "Stores"),
        .executableTarget(
            name: "Counted", dependencies: [.models, .codec, .networking, "Harness"], path: "Counted"),
        .testTarget(
            name: "TokenBenchmarks",
            dependencies: [
                .models, .codec, .verification, "Harness", "CBareLibXML2",
                .product(name: "XMLCoder", package: "XMLCoder"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "_CryptoExtras", package: "swift-crypto"),
            ]),
        .testTarget(
            name: "StorageBenchmarks",
            dependencies: [
                .models, .codec, .storage, "Harness", "Stores", .product(name: "Crypto", package: "swift-crypto"),
            ]),
        .testTarget(
            name: "JSONBenchmarks",
            dependencies: [.models, .networking, "Harness"] + (hasSimdJSON ? ["CSimdJSON"] : [])),
        .testTarget(
            name: "FlowBenchmarks",
            dependencies: [
                .models, .storage, .networking, "Harness",
                .product(name: "TVEFlowEngine", package: "swift-access-enabler"),
                .product(name: "TVEDeviceBinding", package: "swift-access-enabler"),
                .product(name: "TVESandbox", package: "swift-access-enabler"),
                .product(name: "TVESandboxConsole", package: "swift-access-enabler"),
                .product(name: "TVETestSupport", package: "swift-access-enabler"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]),
        .testTarget(
            name: "ConformanceBenchmarks",
            dependencies: ["Harness", .product(name: "TVEConformance", package: "swift-access-enabler")]),
    ],
    swiftLanguageModes: [.v6], cxxLanguageStandard: .cxx17
)

if hasSimdJSON {
    package.targets.append(
        .target(
            name: "CSimdJSON", path: "Peers/CSimdJSON", cxxSettings: [.unsafeFlags(["-O3"])],
            linkerSettings: [.linkedLibrary("simdjson")]))
}

if hasDatabases {
    package.targets += [
        .systemLibrary(
            name: "LibSQLite3", path: "Peers/LibSQLite3", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "LibLMDB", path: "Peers/LibLMDB", pkgConfig: "lmdb", providers: [.apt(["liblmdb-dev"])]),
        .target(name: "BareStores", dependencies: ["LibSQLite3", "LibLMDB"], path: "Peers/BareStores"),
        .target(
            name: "SQLiteStorage", dependencies: [.storage, .product(name: "GRDB", package: "GRDB.swift")],
            path: "Peers/SQLiteStorage"),
        .testTarget(
            name: "StoragePeerBenchmarks",
            dependencies: [
                .models, .codec, .storage, "Harness", "Stores", "BareStores", "SQLiteStorage",
                .product(name: "TVETestSupport", package: "swift-access-enabler"),
                .product(name: "GRDB", package: "GRDB.swift"), .product(name: "Crypto", package: "swift-crypto"),
            ]),
    ]
}

if hasAsyncHTTP {
    package.targets.append(
        .testTarget(
            name: "TransportBenchmarks",
            dependencies: ["Harness"]
                + ["TVEAsyncHTTPTransport", "TVENetworking", "TVESandbox"].map {
                    .product(name: $0, package: "swift-access-enabler")
                } + [
                    .product(name: "HTTPTypes", package: "swift-http-types"),
                    .product(name: "HTTPTypesFoundation", package: "swift-http-types"),
                ]))
}

// The public signatures of peers use types of their dependencies, as those of the modules do.
for target in package.targets where target.name == "SQLiteStorage" {
    target.swiftSettings = [.enableUpcomingFeature("InternalImportsByDefault")]
}

// The fuzzers have no `main`, because libFuzzer supplies it: they link only with `--sanitize fuzzer`. So they exist
// only on request (Documentation/HowThisProjectTests.md).
if ProcessInfo.processInfo.environment["TVE_FUZZ"] != nil {
    for name in ["CodecFuzzer", "DifferentialFuzzer"] + (hasSimdJSON ? ["JSONFuzzer"] : []) {
        package.targets.append(
            .executableTarget(
                name: name, dependencies: [.models, .codec] + (name == "JSONFuzzer" ? ["CSimdJSON"] : []),
                path: "Fuzzing/\(name)", swiftSettings: [.unsafeFlags(["-parse-as-library"])]))
    }
}

extension Target.Dependency {
    static let models = product(name: "TVEModels", package: "swift-access-enabler")
    static let storage = product(name: "TVEStorage", package: "swift-access-enabler")
    static let codec = product(name: "TVETokenCodec", package: "swift-access-enabler")
    static let networking = product(name: "TVENetworking", package: "swift-access-enabler")
    static let verification = product(name: "TVETokenVerification", package: "swift-access-enabler")
}
