public import TVEModels

extension Resource {
    /// The network's resource id: the text itself for a plain id, the channel title of an MRSS document.
    ///
    /// - Returns: the id.
    /// - Throws: any `TokenCodecError` about the XML; `.missingElement("title")` when a document has no channel title,
    ///   `.empty` for an empty resource.
    public func channelID() throws(TokenCodecError) -> String {
        guard text.contains("<") else {
            guard !text.isEmpty else { throw .empty }
            return text
        }
        let root = try XMLTree.parse(text.utf8, .token)
        guard root.name == "rss" else { throw .unexpectedRoot(expected: "rss") }
        guard let title = root.first("channel")?.first("title")?.text, !title.isEmpty else {
            throw .missingElement("title")
        }
        return title
    }
}
