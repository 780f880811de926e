import _CryptoExtras

/// The keys that the tests of this module share, because creating one takes longer than most tests.
enum SigningKeys {
    static let first = Result { try _RSA.Signing.PrivateKey(keySize: .bits2048) }
    static let second = Result { try _RSA.Signing.PrivateKey(keySize: .bits2048) }
    static let third = Result { try _RSA.Signing.PrivateKey(keySize: .bits2048) }
}
