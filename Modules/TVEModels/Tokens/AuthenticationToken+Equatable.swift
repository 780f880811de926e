extension AuthenticationToken.Claims {
    /// Compares every value; texts as UTF-8 bytes.
    public static func == (left: Self, right: Self) -> Bool {
        left.authenticationGUID.isSameBytes(as: right.authenticationGUID)
            && left.samlSessionIndex.isSameBytes(as: right.samlSessionIndex)
            && left.requestorID.isSameBytes(as: right.requestorID)
            && left.domainName.isSameBytes(as: right.domainName)
            && left.expires == right.expires
            && left.mvpdID.isSameBytes(as: right.mvpdID)
            && left.fingerprint.isSameBytes(as: right.fingerprint)
            && left.fragments == right.fragments
            && left.samlNameID.isSameBytes(as: right.samlNameID)
            && left.subMVPDID.isSameBytes(as: right.subMVPDID)
            && left.transientPartOfGUID.isSameBytes(as: right.transientPartOfGUID)
            && left.authorizesAll == right.authorizesAll
            && left.authorizedResources.isSameBytes(as: right.authorizedResources)
            && left.timeToLive == right.timeToLive
    }
}

extension AuthenticationToken.DeviceFragments {
    /// Compares the hashes as UTF-8 bytes.
    public static func == (left: Self, right: Self) -> Bool {
        left.browser.isSameBytes(as: right.browser)
            && left.platform.isSameBytes(as: right.platform)
            && left.vendor.isSameBytes(as: right.vendor)
            && left.address.isSameBytes(as: right.address)
    }
}
