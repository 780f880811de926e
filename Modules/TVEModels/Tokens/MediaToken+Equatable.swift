extension MediaToken.Claims {
    /// Compares every value; texts as UTF-8 bytes.
    public static func == (left: Self, right: Self) -> Bool {
        left.sessionGUID.isSameBytes(as: right.sessionGUID)
            && left.requestorID.isSameBytes(as: right.requestorID)
            && left.resource == right.resource
            && left.timeToLive == right.timeToLive
            && left.issued == right.issued
            && left.mvpdID.isSameBytes(as: right.mvpdID)
            && left.proxyMVPDID.isSameBytes(as: right.proxyMVPDID)
    }
}
