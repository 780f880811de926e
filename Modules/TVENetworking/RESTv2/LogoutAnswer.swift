import TVEModels

/// The answer to a logout, by MVPD id (REST API v2, 5.11).
struct LogoutAnswer: JSONReadable {
    let logouts: [MVPDID: Entry]

    private enum Field: String, CaseIterable { case logouts }

    private static let names = JSONNames<Field>()

    init?(_ json: inout JSONCursor) throws(UntrustedJSONError) {
        var logouts: [MVPDID: Entry]?
        let isObject = try json.object(Self.names) { (_, json) throws(UntrustedJSONError) in
            var entries: [MVPDID: Entry] = [:]
            let isMap = try json.members { (name, json) throws(UntrustedJSONError) in
                let id = MVPDID(JSONCursor.trimmed(name))
                if let entry = try Entry(&json), entries[id] == nil { entries[id] = entry }
            }
            if isMap { logouts = entries }
        }
        guard isObject, let logouts else { return nil }
        self.logouts = logouts
    }

    /// The step that remains for one provider.
    struct Entry: JSONReadable {
        let action: String
        let url: String?

        private enum Field: String, CaseIterable { case actionName, url }

        private static let names = JSONNames<Field>()

        init?(_ json: inout JSONCursor) throws(UntrustedJSONError) {
            var action: String?
            var url: String?
            let isObject = try json.object(Self.names) { (field, json) throws(UntrustedJSONError) in
                switch field {
                case .actionName: action = try json.word()
                case .url: url = try json.trimmedText()
                }
            }
            guard isObject, let action else { return nil }
            self.action = action
            self.url = url
        }
    }
}
