// swift-tools-version: 6.1
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
