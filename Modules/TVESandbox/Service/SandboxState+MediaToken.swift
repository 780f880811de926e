import TVEModels
import TVETokenCodec

extension SandboxState {
    /// Signs a media token for a viewer; without one, the provider is degraded.
    func mediaToken(
        for viewer: Login?, _ requestorID: RequestorID, _ resource: Resource, _ mvpdID: MVPDID
    ) -> TokenText? {
        let claims = MediaToken.Claims(
            sessionGUID: viewer.map(UserMetadataJSON.userID) ?? "", requestorID: requestorID, resource: resource,
            timeToLive: Int64(world.behavior.mediaLifetime) * 1000, issued: tokenDate(now), mvpdID: mvpdID)
        return try? sign(TokenWriter.body(claims))
    }
}
