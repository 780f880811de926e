#if canImport(ObjectiveC)
import AccessEnabler
import Foundation
import Testing

/// The names by which old code and storyboards look up classes and protocols.
///
/// `.ci/apple/objective-c` checks them elsewhere.
struct RuntimeNameTests {
    @Test func findsTheClasses() {
        #expect(NSClassFromString("AccessEnabler") === AccessEnabler.self)
        #expect(NSClassFromString("MVPD") === MVPD.self)
    }

    @Test(arguments: ["EntitlementDelegate", "EntitlementStatus"]) func findsTheProtocol(name: String) {
        #expect(NSProtocolFromString(name) != nil)
    }
}
#endif
