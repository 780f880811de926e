import Foundation
public import TVEModels

extension EntitlementStore {
    /// The service's last answer about a set of resources, if exactly this set was asked about (API reference,
    /// preauthorization cache).
    ///
    /// - Parameters:
    ///   - resources: the resources, in any order.
    ///   - requestorID: the requestor.
    ///   - mvpdID: the TV provider.
    /// - Returns: the decisions in the order in which they were kept, nil when another set or nothing was kept, or what was
    ///   kept cannot be read.
    /// - Throws: any ``StorageError`` about reading the store as a whole.
    public func preauthorization(
        of resources: Set<Resource>, requestorID: String, mvpdID: String
    ) throws(StorageError) -> [PreauthorizationDecision]? {
        let key = login(requestorID, mvpdID).appending(Self.preauthorization)
        guard let text = try text(at: key), let decisions = Self.decisions(Data(text.utf8)),
            Set(decisions.map(\.resource)) == resources
        else { return nil }
        return decisions
    }

    /// Keeps the service's answer in the place of any earlier one of the same login.
    ///
    /// It goes with the login: a new one and a logout remove it.
    ///
    /// - Parameters:
    ///   - decisions: one decision a resource.
    ///   - requestorID: the requestor.
    ///   - mvpdID: the TV provider.
    /// - Throws: any ``StorageError``; nothing has changed then.
    public func save(
        _ decisions: [PreauthorizationDecision], requestorID: String, mvpdID: String
    ) throws(StorageError) {
        let key = login(requestorID, mvpdID).appending(Self.preauthorization)
        // Texts, numbers and booleans: nothing that JSON cannot hold.
        let bytes = (try? JSONEncoder().encode(decisions)) ?? Data("[]".utf8)
        try backend.apply([.put(key, bytes)])
    }

    static let preauthorization = "preauthorization"

    static func decisions(_ bytes: Data) -> [PreauthorizationDecision]? {
        try? JSONDecoder().decode([PreauthorizationDecision].self, from: bytes)
    }
}
