#if VerificationService
import HTTPTypes
import Hummingbird

/// Which callers may submit tokens.
public enum CallerPolicy: Sendable {
    /// Callers that send one of these keys as `Authorization: Bearer`.
    case bearerKeys(CallerKeys)
    /// Every caller that could connect: the connection requires a certificate, or only this machine can reach it.
    case connected

    /// Admits a request or refuses it.
    ///
    /// - Throws: ``Problem/unauthorized``.
    func admit(_ request: Request) throws(Problem) {
        guard case .bearerKeys(let keys) = self else { return }
        guard let header = request.headers[.authorization], let key = Self.bearer(header), keys.contains(key) else {
            throw .unauthorized
        }
    }

    private static func bearer(_ header: String) -> Substring? {
        let parts = header.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return parts[1]
    }
}
#endif
