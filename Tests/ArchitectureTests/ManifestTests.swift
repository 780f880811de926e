import Foundation
import TVETestTraits
import Testing

/// Checks the dependencies of targets in the manifests, as the package manager reads them.
@Suite(.timeLimit(.hanging))
struct ManifestTests {
    /// The dependencies of back ends and tools that an app must neither compile nor ship.
    ///
    /// They are an RSA implementation, servers and a command line parser.
    private static let foreign: Set = ["_CryptoExtras", "SwiftASN1", "FlyingFox", "FlyingSocks", "ArgumentParser"]

    private struct Manifest: Decodable {
        struct Target: Decodable {
            struct Dependency: Decodable {
                let name: String

                /// Decodes a dependency such as `{"byName": ["TVEModels", null]}`.
                ///
                /// It has one key, whose value begins with the name.
                init(from decoder: any Decoder) throws {
                    let fields = try decoder.singleValueContainer().decode([String: [Ignored]].self)
                    guard fields.count == 1, let name = fields.values.first?.first?.text else {
                        throw DecodingError.dataCorrupted(
                            .init(codingPath: decoder.codingPath, debugDescription: "a dependency without a name"))
                    }
                    self.name = name
                }
            }

            let name: String
            let type: String
            let dependencies: [Dependency]
        }

        let targets: [Target]
    }

    /// A value that is ignored unless it is a text.
    private struct Ignored: Decodable {
        let text: String?

        init(from decoder: any Decoder) throws {
            text = try? decoder.singleValueContainer().decode(String.self)
        }
    }

    /// The targets of this package, which are read once, because the package manager takes seconds.
    private static let ownTargets = Task { try await Self.describedTargets(of: ".") }

    private static func targets(of package: String) async throws -> [Manifest.Target] {
        try await package == "." ? ownTargets.value : describedTargets(of: package)
    }

    private static func describedTargets(of package: String) async throws -> [Manifest.Target] {
        let scratch = FileManager.default.temporaryDirectory.appendingPathComponent("tve-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: scratch) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "swift", "package", "--package-path", Repository.root.appendingPathComponent(package).path,
            "--scratch-path",
            scratch.path, "dump-package",
        ]
        // These variables limit a build to some targets.
        process.environment = ProcessInfo.processInfo.environment.filter {
            $0.key != "TVE_ONLY" && $0.key != "TVE_SANITIZE"
        }
        // A pipe does not hold the whole description.
        let output = scratch.appendingPathExtension("json")
        try Data().write(to: output)
        defer { try? FileManager.default.removeItem(at: output) }
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = FileHandle.nullDevice
        try process.run()
        await process.ended()
        return try JSONDecoder().decode(Manifest.self, from: Data(contentsOf: output)).targets
    }

    private static func reach(_ name: String, in targets: [Manifest.Target]) -> Set<String> {
        var reached: Set<String> = []
        var unread = [name]
        while let next = unread.popLast() {
            for dependency in targets.first(where: { $0.name == next })?.dependencies ?? []
            where reached.insert(dependency.name).inserted {
                unread.append(dependency.name)
            }
        }
        return reached
    }

    /// `_CryptoExtras` compiles BoringSSL on every system, Apple's included.
    @Test func anApp_reachesNothingThatOnlyABackEndOrAToolNeeds() async throws {
        let targets = try await Self.targets(of: ".")
        // The last module is for an app's tests that need no sandbox.
        for module in ["AccessEnabler", "TVEFlowEngine", "TVETokenCodec", "TVEStorage", "TVETestSupport"] {
            let reached = Self.reach(module, in: targets)
            #expect(reached.contains("TVEModels"), "\(module): the walk finds nothing.")
            let foreign = reached.filter { Self.foreign.contains($0) || $0.hasPrefix("NIO") }
            #expect(foreign.isEmpty, "\(module) reaches \(foreign.sorted())")
        }
        // Without these checks, a walk that stops early would pass the lines above.
        #expect(Self.reach("TVESandbox", in: targets).contains("_CryptoExtras"))
        #expect(Self.reach("TVESandbox", in: targets).contains("FlyingFox"))
    }

    /// The names of targets are global in a graph of packages, and an alias cannot rename a C module.
    @Test(arguments: [".", "Modules/VerificationService"])
    func everyTarget_carriesThePrefix(package: String) async throws {
        let targets = try await Self.targets(of: package)
        #expect(targets.count > 5)
        let known: Set = ["AccessEnabler", "AccessEnablerHeaders", "tve", "tve-verifier"]
        for target in targets where target.type != "test" && !known.contains(target.name) {
            #expect(target.name.hasPrefix("TVE") || target.name.hasPrefix("CTVE"), "\(target.name)")
        }
    }
}
