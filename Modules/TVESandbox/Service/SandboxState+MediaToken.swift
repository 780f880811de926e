import TVEModels
import TVETokenCodec

extension SandboxState {
    /// Returns a signed media token; `nil` when it cannot be signed.
    ///
    /// - Parameters:
    ///   - viewer: the login of the viewer; `nil` when a degraded provider allows everything to everybody.
    func mediaToken(
        for viewer: Login?, requestorID: RequestorID, resource: Resource, mvpdID: MVPDID
    ) -> TokenText? {
        let claims = MediaToken.Claims(
            sessionGUID: viewer.map(UserMetadataJSON.userID) ?? "", requestorID: requestorID, resource: resource,
            timeToLive: Int64(world.behavior.mediaLifetime) * 1000, issued: tokenDate(now), mvpdID: mvpdID)
        return try? sign(TokenWriter.body(claims))
    }
}
