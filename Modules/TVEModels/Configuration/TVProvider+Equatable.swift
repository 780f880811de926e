extension TVProvider {
    /// Compares every value; texts as UTF-8 bytes.
    public static func == (left: Self, right: Self) -> Bool {
        hasSameTexts(left, right) && hasSameFlags(left, right)
    }

    private static func hasSameTexts(_ left: Self, _ right: Self) -> Bool {
        left.id.isSameBytes(as: right.id)
            && left.displayName.isSameBytes(as: right.displayName)
            && left.logoURL.isSameBytes(as: right.logoURL)
            && left.boardingStatus.isSameBytes(as: right.boardingStatus)
            && left.platformMappingID.isSameBytes(as: right.platformMappingID)
            && left.requiredMetadataFields.isSameBytes(as: right.requiredMetadataFields)
            && left.serviceProvider.isSameBytes(as: right.serviceProvider)
    }

    private static func hasSameFlags(_ left: Self, _ right: Self) -> Bool {
        left.requiresIFrame == right.requiresIFrame
            && left.iFrameWidth == right.iFrameWidth
            && left.iFrameHeight == right.iFrameHeight
            && left.needsForegroundLogout == right.needsForegroundLogout
            && left.isProxy == right.isProxy
            && left.authenticatesPerRequestor == right.authenticatesPerRequestor
            && left.allowsPassiveAuthentication == right.allowsPassiveAuthentication
            && left.authenticatesPerBrowserSession == right.authenticatesPerBrowserSession
            && left.isTempPass == right.isTempPass
            && left.allowsPlatformSignOn == right.allowsPlatformSignOn
            && left.isShownInPlatformPicker == right.isShownInPlatformPicker
            && left.usesSafari == right.usesSafari
    }
}
