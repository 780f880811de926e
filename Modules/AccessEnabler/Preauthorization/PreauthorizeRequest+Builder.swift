extension PreauthorizeRequest {
    /// Builds requests; every ``build()`` makes a new one.
    public final class Builder {
        private var resources: [String] = []
        private var disabled: Set<Feature> = []

        /// Makes a builder whose request has no resources.
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

        /// Makes a request with the current settings.
        ///
        /// - Returns: a new request.
        public func build() -> PreauthorizeRequest {
            PreauthorizeRequest(resources: resources, disabled: disabled)
        }
    }
}
