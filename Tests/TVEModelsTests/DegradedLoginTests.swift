import TVEModels
import Testing

/// The logins that every viewer receives, because the provider is degraded (wire protocol, AuthN token, degradation).
struct DegradedLoginTests {
    @Test(arguments: [
        ("a", false, false), ("a", true, true), ("", false, false),
        ("d35b501e0385360feccc755c59f5767b46c54c7d", false, true),
        ("d35b501e0385360feccc755c59f5767b46c54c7d0", false, false),
        ("D35B501E0385360FECCC755C59F5767B46C54C7D", false, false),
        ("95cf93bcd183214a", false, true), ("95cf93bcd183214a0000", false, true), ("95cf93bcd183214", false, false),
        ("x95cf93bcd183214a", false, false),
    ])
    func isDegraded_byItsGUIDOrItsElement(guid: String, authorizesAll: Bool, isDegraded: Bool) {
        let claims = AuthenticationToken.Claims(
            authenticationGUID: guid, requestorID: "P", expires: TokenDate(secondsSince1970: 0), mvpdID: "A",
            fingerprint: "f", authorizesAll: authorizesAll)
        #expect(claims.isDegraded == isDegraded)
    }
}
