import TVEModels

/// The answer to a logout, with a step for each profile that the service has deleted (REST API v2, 5.11).
struct LogoutAnswer: JSONReadable {
    /// The steps with the ids of their providers, in the order of the document.
    private let logouts: [(id: MVPDID, entry: Entry)]
    /// A Boolean value that indicates whether the answer has an entry that is unreadable, which may be a failure.
    let hasUnreadableEntry: Bool

    private enum Field: String, CaseIterable { case logouts }

    private static let names = JSONNames<Field>()

    init?(_ json: inout JSONCursor) throws(UntrustedJSONError) {
        var logouts: [(id: MVPDID, entry: Entry)]?
        var hasUnreadableEntry = false
        _ = try json.object(Self.names) { (_, json) throws(UntrustedJSONError) in
            var entries: [(id: MVPDID, entry: Entry)] = []
            var ids: Set<MVPDID> = []
            let isMap = try json.members { (name, json) throws(UntrustedJSONError) in
                let id = MVPDID(JSONCursor.trimmed(name))
                guard let entry = try Entry(&json) else {
                    hasUnreadableEntry = true
                    return
                }
                if ids.insert(id).inserted { entries.append((id: id, entry: entry)) }
            }
            if isMap { logouts = entries }
        }
        guard let logouts else { return nil }
        self.logouts = logouts
        self.hasUnreadableEntry = hasUnreadableEntry
    }

    /// Returns a Boolean value that indicates whether the answer names a provider, so that its login has ended.
    func names(_ mvpdID: MVPDID) -> Bool {
        logouts.contains { $0.id == mvpdID || Self.isSimilar($0.id, $0.entry, to: mvpdID) }
    }

    /// Returns a Boolean value that indicates whether an entry is about a provider whose id the service spells with
    /// other cases of its ASCII letters.
    private static func isSimilar(_ id: MVPDID, _ entry: Entry, to mvpdID: MVPDID) -> Bool {
        [id.text, entry.mvpd].contains { $0.isSameBytesIgnoringASCIICase(as: mvpdID.text) }
    }

    /// Returns the steps, with the ids of their providers, in the order in which they matter after the logout from a
    /// provider.
    ///
    /// The provider's own step is the first. The next are those whose id differs in the case of ASCII letters alone.
    func entries(for mvpdID: MVPDID) -> [(id: MVPDID, entry: Entry)] {
        var exact: [(id: MVPDID, entry: Entry)] = []
        var similar: [(id: MVPDID, entry: Entry)] = []
        var others: [(id: MVPDID, entry: Entry)] = []
        for (id, entry) in logouts {
            if id == mvpdID {
                exact.append((id, entry))
            } else if Self.isSimilar(id, entry, to: mvpdID) {
                // Another spelling of the id is that of the same provider.
                similar.append((mvpdID, entry))
            } else {
                others.append((id, entry))
            }
        }
        return exact + similar + others
    }

    /// The step that remains for one provider.
    struct Entry: JSONReadable {
        let action: String
        /// The party that must act, or an empty text if the entry does not say it.
        let type: String
        /// The provider's id, or an empty text if the entry does not repeat it.
        let mvpd: String
        let url: String?

        private enum Field: String, CaseIterable { case actionName, actionType, mvpd, url }

        private static let names = JSONNames<Field>()

        init?(_ json: inout JSONCursor) throws(UntrustedJSONError) {
            var action: String?
            var type: String?
            var mvpd: String?
            var url: String?
            _ = try json.object(Self.names) { (field, json) throws(UntrustedJSONError) in
                switch field {
                case .actionName: action = try json.identifier()
                case .actionType: type = try json.identifier()
                case .mvpd: mvpd = try json.trimmedText()
                case .url: url = try json.trimmedText()
                }
            }
            guard let action else { return nil }
            self.action = action
            self.type = type ?? ""
            self.mvpd = mvpd ?? ""
            self.url = url
        }
    }
}
