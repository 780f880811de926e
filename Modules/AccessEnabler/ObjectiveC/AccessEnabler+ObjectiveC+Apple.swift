#if canImport(ObjectiveC)
import Foundation

/// Declarations for Objective-C, in place of those whose Swift form is not visible there.
extension AccessEnabler {
    /// Creates an access enabler for REST API v2, which needs a statement of its own.
    ///
    /// - Parameters:
    ///   - storageCheck: the kind of check of the stored data. A failed check logs the viewer out.
    ///   - softwareStatement: the application's statement for REST API v2.
    @objc(initWithRESTv2StorageCheck:softwareStatement:)
    public convenience init(restV2StorageCheck storageCheck: IntegrityCheckType, softwareStatement: String?) {
        self.init(softwareStatement, service: .restV2, storageCheck: storageCheck)
    }

    /// Checks which resources the viewer would be allowed to watch, with reasons.
    ///
    /// - Parameters:
    ///   - request: the resources, and the caches that may be used.
    ///   - callback: the callback, which is called once, on the same run as the delegates.
    @objc(preauthorize:didCompleteWith:)
    public func preauthorize(_ request: PreauthorizeRequest, didCompleteWith callback: PreauthorizeCallback) {
        preauthorize(
            request,
            didCompleteWith: AccessEnablerCallback(onResponse: callback.response, onFailure: callback.failure))
    }
}

extension PreauthorizeRequest {
    /// Creates a request.
    ///
    /// - Parameters:
    ///   - resources: plain ids or MRSS documents.
    ///   - usesLocalCache: a Boolean value that indicates whether the last response stored on this device may be used.
    ///   - usesRemoteCache: a Boolean value that indicates whether the service's own cache may be used.
    @objc(requestWithResources:localCache:remoteCache:)
    public static func request(_ resources: [String], usesLocalCache: Bool, usesRemoteCache: Bool)
        -> PreauthorizeRequest
    {
        var disabled: Set<Feature> = []
        if !usesLocalCache { disabled.insert(.LOCAL_CACHE) }
        if !usesRemoteCache { disabled.insert(.REMOTE_CACHE) }
        return Builder().setResources(resources: resources).disableFeatures(features: disabled).build()
    }
}
#endif
