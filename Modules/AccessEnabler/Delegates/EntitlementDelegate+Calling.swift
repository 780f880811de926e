/// Calls of callbacks that an app may lack.
///
/// In version 1, `setMetadataStatus` had no parameter `encrypted`. An app in Objective-C may lack the newer method with
/// only a warning, and calling a missing method would end the app. The reference calls `sendTrackingData` optional.
extension EntitlementDelegate {
    /// Responds to `getMetadata` in the form that the app implements.
    ///
    /// The older form can only pass a text that is not encrypted; anything else is nil.
    @MainActor func answer(_ request: MetadataRequest, with value: Any?, isEncrypted: Bool) {
        #if canImport(ObjectiveC)
        // `AnyObject` looks the method up at run time, as if it were optional.
        if (self as AnyObject).setMetadataStatus?(
            value, encrypted: isEncrypted, forKey: request.opCode, andArguments: request.arguments) == nil
        {
            setMetadataStatus?(
                isEncrypted ? nil : value as? String, forKey: request.opCode, andArguments: request.arguments)
        }
        #else
        setMetadataStatus(value, encrypted: isEncrypted, forKey: request.opCode, andArguments: request.arguments)
        #endif
    }

    /// Reports an event for analytics, if the app implements the method.
    @MainActor func track(_ data: [String], _ event: Int32) {
        #if canImport(ObjectiveC)
        sendTrackingData?(data, forEventType: event)
        #else
        sendTrackingData(data, forEventType: event)
        #endif
    }

    /// Requests a page in Safari, or an ordinary page if the app omits the method.
    @MainActor func openSafari(at url: String) {
        #if canImport(ObjectiveC)
        if navigate?(toUrl: url, useSVC: true) == nil { navigate(toUrl: url) }
        #else
        navigate(toUrl: url, useSVC: true)
        #endif
    }
}
