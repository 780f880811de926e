import TVEFlowEngine
import TVEModels

/// The session that `setRequestor` made, and what it was made for.
struct EstablishedSession: Sendable {
    let endpoints: [String]
    let session: EntitlementSession

    /// Whether another `setRequestor` with these arguments means this session.
    func isFor(_ requestorID: String, at endpoints: [String]) -> Bool {
        session.requestorID.isSameBytes(as: requestorID) && self.endpoints.isSameBytes(as: endpoints)
    }
}
