import Foundation
import TVEModels
import Testing

@testable import TVENetworking

/// The proofs on which an answer about a login must rest before it ends that login.
struct CarriedProofsTests {
    private static let now = Date(timeIntervalSince1970: 1_000)

    private static func token(_ claims: String) -> String { "e30.\(Data(claims.utf8).base64URL).c2ln" }

    @Test(arguments: [
        (token(#"{"exp":1001}"#), true), (token(#"{"exp":1000}"#), false), (token(#"{"exp":999}"#), false),
        (token("{}"), true), (token(#"{"exp":"soon"}"#), true), ("<html>", false), ("a.b", false), ("", false),
    ])
    func aServiceToken_isAProofUntilItsEnd(token: String, isProof: Bool) {
        var carried = CarriedProofs()
        carried.serviceToken = token
        #expect(carried.prove(.serviceToken, at: Self.now) == isProof)
        // The token of a household takes the place of the app's own one, which could not be had.
        carried.lacksTokenOfApp = true
        #expect(!carried.prove(.serviceToken, at: Self.now))
    }

    @Test func withoutAToken_onlyALeftHouseholdIsAProof() {
        var carried = CarriedProofs()
        #expect(!carried.prove(.serviceToken, at: Self.now) && !carried.prove(.apple, at: Self.now))
        carried.hasLeftHousehold = true
        #expect(carried.prove(.serviceToken, at: Self.now) && !carried.prove(.apple, at: Self.now))
        for kind in [Profile.Kind.regular, .tempPass, .degraded, .platform, nil] {
            #expect(CarriedProofs().prove(kind, at: Self.now), "These need no proof: \(String(describing: kind))")
        }
    }

    @Test(
        arguments: [
            (.granted, "p", 1, true), (.granted, "p", 0, false), (.granted, "p", -1, false), (.granted, "p", nil, true),
            (.granted, nil, 1, false), (.denied, "p", 1, false), (.restricted, "p", 1, false),
            (.notDetermined, "p", nil, false),
        ] as [(PlatformStatus.Permission, String?, TimeInterval?, Bool)])
    func aStatusOfThePlatform_isAProofUntilItsEnd(
        permission: PlatformStatus.Permission, providerID: String?, rest: TimeInterval?, isProof: Bool
    ) {
        var carried = CarriedProofs()
        carried.platformStatus = PlatformStatus(
            permission: permission, providerID: providerID, expires: rest.map { Self.now.addingTimeInterval($0) })
        #expect(carried.prove(.apple, at: Self.now) == isProof)
    }

    /// A household's token that ends before it begins says nothing about how long it lasts.
    @Test(
        arguments: [
            (#"{"exp":1001,"iat":1000}"#, 1), (#"{"exp":1000,"iat":1000}"#, nil), (#"{"exp":999,"iat":1000}"#, nil),
            (#"{"exp":1060,"iat":1000,"nbf":1030}"#, 60), (#"{"exp":1060}"#, nil), (#"{"iat":1000}"#, nil),
        ] as [(String, TimeInterval?)])
    func theLifetimeOfAToken_isThatOfItsClaims(claims: String, lifetime: TimeInterval?) {
        #expect(JWSClaims(Self.token(claims))?.lifetime == lifetime)
    }
}
