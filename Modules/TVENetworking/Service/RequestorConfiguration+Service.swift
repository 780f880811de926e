import Foundation
import TVEModels

extension RequestorConfiguration {
    /// The configuration with this service recorded at each provider.
    consuming func supplied(by root: URL) -> RequestorConfiguration {
        var configuration = self
        let name = root.absoluteString
        for index in configuration.requestor.providers.indices {
            configuration.requestor.providers[index].serviceProvider = name
        }
        return configuration
    }
}
