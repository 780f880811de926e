/// Callbacks that an app may lack: `setMetadataStatus` had no `encrypted` in version 1, so that an app in Objective-C may miss
/// it with a warning alone, and a call of what is missing would end the app; the reference calls `sendTrackingData` optional.
extension EntitlementDelegate {
    /// Answers `getMetadata` in the form that the app has.
    ///
    /// The older form can say a text that is not encrypted; anything else is nil.
    @MainActor func answer(_ question: MetadataQuestion, with value: Any?, isEncrypted: Bool) {
        #if canImport(ObjectiveC)
        // `AnyObject` looks the method up at run time, as if it were optional.
        if (self as AnyObject).setMetadataStatus?(
            value, encrypted: isEncrypted, forKey: question.opCode, andArguments: question.arguments) == nil
        {
            setMetadataStatus?(
                isEncrypted ? nil : value as? String, forKey: question.opCode, andArguments: question.arguments)
        }
        #else
        setMetadataStatus(value, encrypted: isEncrypted, forKey: question.opCode, andArguments: question.arguments)
        #endif
    }

    /// Reports an event for analytics, if the app wants to hear of it.
    @MainActor func track(_ data: [String], _ event: Int32) {
        #if canImport(ObjectiveC)
        sendTrackingData?(data, forEventType: event)
        #else
        sendTrackingData(data, forEventType: event)
        #endif
    }

    /// Asks for a page in Safari, or for an ordinary page if the app omits the method.
    @MainActor func openSafari(at url: String) {
        #if canImport(ObjectiveC)
        if navigate?(toUrl: url, useSVC: true) == nil { navigate(toUrl: url) }
        #else
        navigate(toUrl: url, useSVC: true)
        #endif
    }
}
