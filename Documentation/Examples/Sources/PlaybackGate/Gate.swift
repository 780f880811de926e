import Foundation
import TVEModels
import TVETokenVerification

/// Decides whether a stream may start.
struct Gate: Sendable {
    let verifier: MediaTokenVerifier
    /// The memory of this process, the only one that spends.
    ///
    /// It grants no token that is older than itself. Processes that spend at the same time, as in a rolling deployment,
    /// need a memory that they share.
    let uses = MemoryMediaTokenUses()

    /// - Parameter pem: the public key of the service that signs media tokens.
    init(pem: String, requestorID: RequestorID) throws {
        verifier = try MediaTokenVerifier(
            keys: [TokenVerificationKey(pemRepresentation: pem)], requestorID: requestorID)
    }

    func decision(on token: String, for resource: String, at now: Date = Date()) throws -> Decision {
        let verification = verifier.verify(token, resource: Resource(resource), at: now)
        guard let use = verification.use else { return .refused("\(verification.verdict)") }
        switch try uses.spend(use, at: now) {
        case .granted: return .allowed
        case .refused(let refusal): return .refused(refusal.reason)
        }
    }

    enum Decision: Equatable {
        case allowed
        case refused(String)
    }
}
