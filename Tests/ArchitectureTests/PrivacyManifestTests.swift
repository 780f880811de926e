import Foundation
import Testing

/// Compares each module's privacy manifest with its sources.
struct PrivacyManifestTests {
    private static let modules = Repository.root.appendingPathComponent("Modules")

    /// The patterns of the required-reason APIs that code without Objective-C can use.
    ///
    /// Source: developer.apple.com/documentation/bundleresources/describing-use-of-required-reason-api.
    private static let categories = [
        "NSPrivacyAccessedAPICategoryUserDefaults": #"\bUserDefaults\("#,
        "NSPrivacyAccessedAPICategoryFileTimestamp":
            #"\b(?:l|f)?stat(?:at)?\(|\bf?getattrlist|attributesOfItem|"#
            + #"\.creationDate|\.modificationDate|contentModificationDate"#,
        "NSPrivacyAccessedAPICategorySystemBootTime": #"ProcessInfo\S*\.systemUptime|mach_absolute_time"#,
        "NSPrivacyAccessedAPICategoryDiskSpace": #"\bf?statv?fs\(|volumeAvailableCapacity|systemFreeSize|systemSize"#,
        "NSPrivacyAccessedAPICategoryActiveKeyboards": "activeInputModes",
    ]

    /// The reasons that apply to this library: the app's own preferences, and facts about its own files.
    private static let reasons = [
        "NSPrivacyAccessedAPICategoryUserDefaults": ["CA92.1"],
        "NSPrivacyAccessedAPICategoryFileTimestamp": ["C617.1"],
    ]

    private struct Manifest: Decodable {
        struct Access: Decodable {
            var NSPrivacyAccessedAPIType: String
            var NSPrivacyAccessedAPITypeReasons: [String]
        }

        struct Collection: Decodable {
            var NSPrivacyCollectedDataType: String
            var NSPrivacyCollectedDataTypeTracking: Bool
            var NSPrivacyCollectedDataTypePurposes: [String]
        }

        var NSPrivacyTracking: Bool
        var NSPrivacyTrackingDomains: [String]
        var NSPrivacyCollectedDataTypes: [Collection]
        var NSPrivacyAccessedAPITypes: [Access]
    }

    private static func manifest(of module: String) throws -> Manifest? {
        let file = modules.appendingPathComponent("\(module)/PrivacyInfo.xcprivacy")
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        return try PropertyListDecoder().decode(Manifest.self, from: Data(contentsOf: file))
    }

    /// Returns the categories for which a source needs a reason.
    static func categories(in code: String) -> Set<String> {
        Set(categories.filter { code.range(of: $0.value, options: .regularExpression) != nil }.keys)
    }

    private static let notInApps: Set = [
        "tve", "TVESandbox", "TVESandboxConsole", "TVETestSupport", "TVETokenVerification", "VerificationService",
    ]

    @Test func everyModuleGivesItsReasons_andNoOthers() throws {
        // No app ships the tools, the test support or the modules that verify tokens.
        let modules = try FileManager.default.contentsOfDirectory(atPath: Self.modules.path).sorted()
            .filter { !Self.notInApps.contains($0) }
        var seen = 0
        for module in modules {
            var used: Set<String> = []
            for file in try Repository.files("Modules/\(module)") {
                used.formUnion(Self.categories(in: try Repository.code(in: file)))
            }
            let given = try Self.manifest(of: module)?.NSPrivacyAccessedAPITypes ?? []
            #expect(Set(given.map(\.NSPrivacyAccessedAPIType)) == used, "\(module)")
            for access in given {
                #expect(
                    Self.reasons[access.NSPrivacyAccessedAPIType] == access.NSPrivacyAccessedAPITypeReasons, "\(module)"
                )
            }
            seen += used.count
        }
        #expect(seen >= 3, "The reader of sources finds nothing.")
    }

    @Test func nothingIsUsedToTrack() throws {
        var collected: [String] = []
        for module in try FileManager.default.contentsOfDirectory(atPath: Self.modules.path) {
            guard let manifest = try Self.manifest(of: module) else { continue }
            #expect(!manifest.NSPrivacyTracking && manifest.NSPrivacyTrackingDomains.isEmpty, "\(module)")
            for kind in manifest.NSPrivacyCollectedDataTypes {
                #expect(!kind.NSPrivacyCollectedDataTypeTracking, "\(module)")
                #expect(
                    kind.NSPrivacyCollectedDataTypePurposes == ["NSPrivacyCollectedDataTypePurposeAppFunctionality"],
                    "\(module)")
                collected.append(kind.NSPrivacyCollectedDataType)
            }
        }
        #expect(
            collected.sorted() == [
                "NSPrivacyCollectedDataTypeDeviceID", "NSPrivacyCollectedDataTypeProductInteraction",
            ])
    }

    @Test(
        arguments: [
            ("let suite = UserDefaults(suiteName: name)", ["NSPrivacyAccessedAPICategoryUserDefaults"]),
            ("fstat(descriptor, &status)", ["NSPrivacyAccessedAPICategoryFileTimestamp"]),
            ("lstat(path, &status)", ["NSPrivacyAccessedAPICategoryFileTimestamp"]),
            ("// stat(path, &status)", []), ("let restart = stats(1)", []),
            ("ProcessInfo.processInfo.systemUptime", ["NSPrivacyAccessedAPICategorySystemBootTime"]),
        ] as [(String, Set<String>)])
    func findsUses(source: String, expected: Set<String>) {
        #expect(Self.categories(in: Repository.code(of: source)) == expected)
    }
}
