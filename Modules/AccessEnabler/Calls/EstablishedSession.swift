import TVEFlowEngine
import TVEModels

/// The session that `setRequestor` made, and what it was made for.
struct EstablishedSession: Sendable {
    let endpoints: [String]
    let session: EntitlementSession

    /// Whether a further `setRequestor` means this session again.
    func isFor(_ requestorID: String, at endpoints: [String]) -> Bool {
        session.requestorID.isSameBytes(as: requestorID) && self.endpoints.isSameBytes(as: endpoints)
    }
}
