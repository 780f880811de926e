import TVEModels
import TVENetworking

extension TVEError {
    static let startCancelled = TVEError(
        .serviceUnreachable, message: "The start was cancelled.", underlying: TransportError.cancelled)
}
