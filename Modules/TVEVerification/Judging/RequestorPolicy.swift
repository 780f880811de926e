#if VerificationService
public import Foundation
public import TVETokenCodec

/// How the media tokens of one requestor are verified.
public struct RequestorPolicy: Sendable {
    /// The requestor's id, compared as UTF-8 bytes.
    public let id: String
    /// The keys that may have signed its tokens; they can be replaced at any time.
    public let keys: MediaTokenKeySet
    /// Seconds by which a token may be past its expiry.
    public let clockTolerance: TimeInterval

    /// Makes a policy.
    ///
    /// - Parameters:
    ///   - id: the requestor's id.
    ///   - keys: the keys that may have signed its tokens.
    ///   - clockTolerance: seconds by which a token may be past its expiry; the documented value is 0.
    public init(id: String, keys: MediaTokenKeySet, clockTolerance: TimeInterval = 0) {
        self.id = id
        self.keys = keys
        self.clockTolerance = clockTolerance
    }
}
#endif
