extension AuthorizationToken.Claims {
    /// Compares every value; texts as UTF-8 bytes.
    public static func == (left: Self, right: Self) -> Bool {
        left.requestorID.isSameBytes(as: right.requestorID)
            && left.resource == right.resource
            && left.expires == right.expires
            && left.mvpdID.isSameBytes(as: right.mvpdID)
            && left.subMVPDID.isSameBytes(as: right.subMVPDID)
            && left.fingerprint.isSameBytes(as: right.fingerprint)
            && left.authorizesAll == right.authorizesAll
    }
}
