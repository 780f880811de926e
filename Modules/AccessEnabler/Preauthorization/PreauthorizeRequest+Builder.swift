extension PreauthorizeRequest {
    /// Puts a request together; every ``build()`` makes one of its own.
    public final class Builder {
        private var resources: [String] = []
        private var disabled: Set<Feature> = []

        /// Makes a builder of a request about nothing.
        public init() {}

        /// Says what the request is about.
        ///
        /// - Parameter resources: plain ids or MRSS documents.
        /// - Returns: this builder.
        @discardableResult
        public func setResources(resources: [String]) -> Builder {
            self.resources = resources
            return self
        }

        /// Says what may not answer.
        ///
        /// - Parameter features: the features to disable; the others are enabled.
        /// - Returns: this builder.
        @discardableResult
        public func disableFeatures(features: Set<Feature>) -> Builder {
            disabled = features
            return self
        }

        /// Makes a request of what was said so far.
        ///
        /// - Returns: a new request.
        public func build() -> PreauthorizeRequest {
            PreauthorizeRequest(resources: resources, disabled: disabled)
        }
    }
}
