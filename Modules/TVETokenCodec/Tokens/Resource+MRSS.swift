public import TVEModels

extension Resource {
    /// Returns the network's resource id, which is the text itself for a plain id and the channel title of an MRSS
    /// document.
    ///
    /// - Returns: the id.
    /// - Throws: any `TokenCodecError` about the XML, `.missingElement("title")` if a document has no channel title, or
    ///   `.empty` for an empty resource.
    public func channelID() throws(TokenCodecError) -> String {
        guard text.utf8.contains(UInt8(ascii: "<")) else {
            guard !text.isEmpty else { throw .empty }
            return text
        }
        let root = try XMLTree(parsing: text.utf8, .token)
        guard root.name == "rss" else { throw .unexpectedRoot(expected: "rss") }
        guard let title = root.first("channel")?.first("title")?.text, !title.isEmpty else {
            throw .missingElement("title")
        }
        return title
    }

    /// Returns a Boolean value that indicates whether two resources mean the same to the platform.
    ///
    /// Two resources are equivalent if their texts have the same bytes, or if one is a plain id and the other an MRSS
    /// document that contains only this id as its channel (wire protocol, resources). `==` compares only texts, as
    /// tokens and stores do.
    ///
    /// - Parameter other: the resource to compare with.
    public func isEquivalent(to other: Resource) -> Bool {
        self == other || plainID != nil && plainID == other.plainID
    }

    /// The id of a resource that consists only of an id.
    private var plainID: Resource? {
        guard text.utf8.contains(UInt8(ascii: "<")) else { return self }
        guard let root = try? XMLTree(parsing: text.utf8, .token), root.name == "rss", root.children.count == 1,
            let channel = root.first("channel"), let title = channel.first("title"), title.children.isEmpty,
            // An item without content is equivalent to no item.
            channel.children.allSatisfy({ $0.name == "title" || $0.name == "item" && $0.children.isEmpty }),
            channel.children.filter({ $0.name == "title" }).count == 1
        else { return nil }
        return title.text.isEmpty ? nil : Resource(title.text)
    }
}
