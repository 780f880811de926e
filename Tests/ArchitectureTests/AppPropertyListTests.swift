import Foundation
import Testing

/// Compares the property list of the app in `Tests/AppleApp` with what `AppleSystems.md` says of one.
struct AppPropertyListTests {
    private struct PropertyList: Decodable {
        struct Scenes: Decodable {
            var UIApplicationSupportsMultipleScenes: Bool
        }

        var ITSAppUsesNonExemptEncryption: Bool
        var NSVideoSubscriberAccountUsageDescription: String
        var UIApplicationSceneManifest: Scenes
    }

    private struct Anything: Decodable {
        init(from decoder: any Decoder) {}
    }

    private static func content() throws -> Data {
        try Data(contentsOf: Repository.root.appendingPathComponent("Tests/AppleApp/Info.plist"))
    }

    /// Without scenes the app does not launch, and without the text the library does not use the platform's sign-on.
    @Test func hasTheScenesAndTheTexts_thatThePageDemandsOfEveryApp() throws {
        let list = try PropertyListDecoder().decode(PropertyList.self, from: Self.content())
        let page = try Repository.text("Documentation/AppleSystems.md")
        #expect(page.contains("\"\(list.NSVideoSubscriberAccountUsageDescription)\""))
        #expect(!list.ITSAppUsesNonExemptEncryption)
        #expect(!list.UIApplicationSceneManifest.UIApplicationSupportsMultipleScenes)
    }

    @Test func hasNoKey_ofWhichThePageSaysNothing() throws {
        let keys = try PropertyListDecoder().decode([String: Anything].self, from: Self.content()).keys
        let page = try Repository.text("Documentation/AppleSystems.md")
        #expect(!keys.isEmpty)
        for key in keys { #expect(page.contains("* **`\(key)`"), "\(key)") }
    }
}
