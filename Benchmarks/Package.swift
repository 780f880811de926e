// swift-tools-version: 6.1
import Foundation
import PackageDescription

// A package of its own, so that what is measured against never burdens users. Run it with
// `swift test --package-path Benchmarks -c release`.
let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "swift-access-enabler", path: "..")],
    targets: [
        .testTarget(
            name: "TokenBenchmarks",
            dependencies: [
                .product(name: "TVEModels", package: "swift-access-enabler"),
                .product(name: "TVETokenCodec", package: "swift-access-enabler"),
            ])
    ],
    swiftLanguageModes: [.v6]
)

// The fuzzer has no `main` of its own, libFuzzer brings it: it links only with `--sanitize fuzzer`. So it is there when
// asked for (Documentation/Fuzzing.md).
if ProcessInfo.processInfo.environment["TVE_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(
            name: "CodecFuzzer",
            dependencies: [
                .product(name: "TVEModels", package: "swift-access-enabler"),
                .product(name: "TVETokenCodec", package: "swift-access-enabler"),
            ],
            path: "Fuzzing/CodecFuzzer",
            swiftSettings: [.unsafeFlags(["-parse-as-library"])]))
}
