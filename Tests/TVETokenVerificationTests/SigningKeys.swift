import TVETestTraits
import _CryptoExtras

/// The keys that the tests of this module share.
enum SigningKeys {
    static let first = Result { try _RSA.Signing.PrivateKey(pemRepresentation: TestKeys.first) }
    static let second = Result { try _RSA.Signing.PrivateKey(pemRepresentation: TestKeys.second) }
    static let third = Result { try _RSA.Signing.PrivateKey(pemRepresentation: TestKeys.third) }
}
