package import TVEModels

/// The description of the chosen TV provider that a device stores, so that no flow with it needs the configuration.
package struct ProviderCard: Encodable, Sendable, Hashable {
    /// The provider as the last configuration described it.
    package var provider: TVProvider
    /// The domains that the requestor's logins may come from.
    @BytewiseEqual package var domains: [String]

    /// Creates the card of one of a requestor's providers, or returns nil if the requestor does not work with it.
    package init?(_ mvpdID: MVPDID, of requestor: Requestor) {
        guard let provider = requestor.provider(mvpdID) else { return nil }
        self.provider = provider
        domains = requestor.domains
    }
}

extension ProviderCard: JSONReadable {
    private enum Field: String, CaseIterable { case provider, domains }

    private static let names = JSONNames<Field>()

    /// Reads a stored card.
    package init?(_ json: inout JSONCursor) throws(UntrustedJSONError) {
        var provider: TVProvider?
        var domains: [String]?
        let isObject = try json.object(Self.names) { (field, json) throws(UntrustedJSONError) in
            switch field {
            case .provider: provider = try TVProvider(&json)
            case .domains: domains = try json.list(of: String.self)
            }
        }
        guard isObject, let provider, let domains else { return nil }
        self.provider = provider
        self.domains = domains
    }
}

extension EntitlementReading {
    /// Returns the card of the TV provider that a requestor's viewer chose last, or nil if it is unknown or unreadable.
    package func providerCard(of requestorID: RequestorID) throws(StorageError) -> ProviderCard? {
        let key = StoredEntry.providerCard(owner(requestorID)).key
        guard let bytes = try values.readableValue(for: key), let card: ProviderCard = StoredEntry.decoded(bytes),
            try currentProvider(of: requestorID) == card.provider.id
        else { return nil }
        return card
    }
}

extension EntitlementChanges {
    /// Stores the card of the current provider if a requestor's configuration contains the provider.
    package mutating func keepProviderCard(from requestor: Requestor) throws(StorageError) {
        guard let mvpdID = try currentProvider(of: requestor.id), let card = ProviderCard(mvpdID, of: requestor),
            try providerCard(of: requestor.id) != card
        else { return }
        try draft.add([.put(.providerCard(owner(requestor.id)), StoredEntry.encoded(card, else: "{}"))])
    }
}
