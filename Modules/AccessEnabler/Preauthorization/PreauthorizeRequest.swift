public import Foundation
import TVEFlowEngine
import TVEModels

/// The argument of `preauthorize` (preauthorize page); build one with ``Builder``.
#if canImport(ObjectiveC)
@objcMembers
#endif
public final class PreauthorizeRequest: NSObject, Sendable {
    /// What may answer in place of the TV provider; all are enabled unless disabled.
    public enum Feature: Sendable, Hashable, CaseIterable {
        /// The last answer that is stored on this device.
        case LOCAL_CACHE
        /// The service's own cache.
        case REMOTE_CACHE
    }

    let resources: [Resource]
    let caches: PreauthorizationCaches

    init(resources: [String], disabled: Set<Feature>) {
        self.resources = resources.map { Resource($0) }
        var caches = PreauthorizationCaches.all
        if disabled.contains(.LOCAL_CACHE) { caches.remove(.local) }
        if disabled.contains(.REMOTE_CACHE) { caches.remove(.service) }
        self.caches = caches
    }
}
