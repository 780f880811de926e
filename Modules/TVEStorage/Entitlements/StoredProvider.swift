package import TVEModels

/// The description of the chosen TV provider that a device stores, so that no flow with it needs the configuration.
package struct StoredProvider: Encodable, Sendable, Hashable {
    /// The provider as the last configuration described it.
    package var provider: TVProvider
    /// The domains that the requestor's logins may come from.
    @BytewiseEqual package var domains: [String]

    /// Describes one of a requestor's providers, or returns nil if the requestor does not work with it.
    package init?(_ mvpdID: MVPDID, of requestor: Requestor) {
        guard let provider = requestor.provider(mvpdID) else { return nil }
        self.provider = provider
        domains = requestor.domains
    }
}

extension StoredProvider: JSONReadable {
    private enum Field: String, CaseIterable { case provider, domains }

    private static let names = JSONNames<Field>()

    /// Reads a stored description.
    package init?(_ json: inout JSONCursor) throws(UntrustedJSONError) {
        var provider: TVProvider?
        var domains: [String]?
        _ = try json.object(Self.names) { (field, json) throws(UntrustedJSONError) in
            switch field {
            case .provider: provider = try TVProvider(&json)
            case .domains: domains = try json.list(of: String.self)
            }
        }
        guard let provider, let domains else { return nil }
        self.provider = provider
        self.domains = domains
    }
}

extension EntitlementReading {
    /// Returns the TV provider that a requestor's viewer chose last, or nil if it is unknown or unreadable.
    package func storedProvider(of requestorID: RequestorID) throws(StorageError) -> StoredProvider? {
        let key = StoredEntry.providerDescription(owner(requestorID)).key
        guard let bytes = try values.readableValue(for: key), let stored: StoredProvider = StoredEntry.decoded(bytes),
            try currentProvider(of: requestorID) == stored.provider.id
        else { return nil }
        return stored
    }
}

extension EntitlementChanges {
    /// Stores the description of the current provider if a requestor's configuration contains the provider.
    package mutating func keepProvider(from requestor: Requestor) throws(StorageError) {
        guard let mvpdID = try currentProvider(of: requestor.id), let stored = StoredProvider(mvpdID, of: requestor),
            try storedProvider(of: requestor.id) != stored
        else { return }
        try draft.add([.put(.providerDescription(owner(requestor.id)), StoredEntry.encoded(stored, else: "{}"))])
    }
}
