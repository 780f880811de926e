public import Foundation
import TVEFlowEngine
import TVEModels

/// The argument of `preauthorize` (preauthorize page); build one with ``Builder``.
#if canImport(ObjectiveC)
@objcMembers
#endif
public final class PreauthorizeRequest: NSObject, Sendable {
    /// The sources that may respond in place of the TV provider.
    ///
    /// All are enabled unless disabled.
    public enum Feature: Sendable, Hashable, CaseIterable {
        /// The last response stored on this device.
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

extension PreauthorizeRequest {
    /// A builder of requests.
    ///
    /// Every call of ``build()`` creates a new one.
    public final class Builder {
        private var resources: [String] = []
        private var disabled: Set<Feature> = []

        /// Creates a builder whose request has no resources.
        public init() {}

        /// Sets the resources of the request.
        ///
        /// - Parameter resources: plain ids or MRSS documents.
        /// - Returns: this builder.
        @discardableResult
        public func setResources(resources: [String]) -> Builder {
            self.resources = resources
            return self
        }

        /// Disables features.
        ///
        /// - Parameter features: the features to disable; the others are enabled.
        /// - Returns: this builder.
        @discardableResult
        public func disableFeatures(features: Set<Feature>) -> Builder {
            disabled = features
            return self
        }

        /// Creates a request with the current settings.
        ///
        /// - Returns: a new request.
        public func build() -> PreauthorizeRequest {
            PreauthorizeRequest(resources: resources, disabled: disabled)
        }
    }
}
