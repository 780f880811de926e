import TVEStorage
import TVETestSupport
import Testing

/// The system's own keychain, which only a test with an app around it may use.
struct HostedKeychainTests {
    @Test func keepsTheContract() throws {
        #expect(
            try StorageConformance.violations(isPersistent: true) { KeychainStorage(service: "hosted test") } == [])
    }
}
