/// A channel or show that a viewer wants to watch, as a plain id or as an MRSS document.
///
/// The platform treats the text as opaque, so two resources are equal when their texts have the same UTF-8 bytes.
public struct Resource: OpaqueID {
    /// The plain id or the MRSS document.
    public let text: String

    /// Wraps the text of a resource.
    ///
    /// - Parameter text: a plain id or an MRSS document, passed on unmodified.
    public init(_ text: String) {
        self.text = text
    }

    /// The resource as an XML parser returns it from CDATA, with a line feed for each line end (XML 1.0, 2.11).
    package var withLineFeeds: Resource {
        Resource(text.replacingBytes(of: "\r\n", with: "\n").replacingBytes(of: "\r", with: "\n"))
    }

    /// Builds an MRSS document and escapes every value in it.
    ///
    /// - Parameters:
    ///   - channel: the network's resource id, for example `DEMO-1`.
    ///   - item: the show inside the channel, or nil for the channel as a whole.
    /// - Returns: the document on one line, without an XML declaration (wire protocol, resources).
    public static func mrss(channel: String, item: Item? = nil) -> Resource {
        Resource(
            "<rss version=\"2.0\" xmlns:media=\"http://search.yahoo.com/mrss/\"><channel>"
                + "<title>\(channel.escapedForXML)</title>\(item?.element ?? "")</channel></rss>")
    }

    /// One show of a channel.
    public struct Item: Sendable, Hashable {
        /// The title of the show.
        @BytewiseEqual public var title: String?
        /// The id of the show.
        @BytewiseEqual public var guid: String?
        /// The parental rating of the show.
        public var rating: Rating?

        /// Describes a show; nil values are left out of the document.
        ///
        /// - Parameters:
        ///   - title: title of the show.
        ///   - guid: id of the show.
        ///   - rating: parental rating.
        public init(title: String? = nil, guid: String? = nil, rating: Rating? = nil) {
            self.title = title
            self.guid = guid
            self.rating = rating
        }

        fileprivate var element: String {
            let parts = [
                title.map { "<title>\($0.escapedForXML)</title>" },
                guid.map { "<guid>\($0.escapedForXML)</guid>" },
                rating.map {
                    "<media:rating scheme=\"\($0.scheme.escapedForXML)\">\($0.value.escapedForXML)</media:rating>"
                },
            ]
            return "<item>\(parts.compactMap(\.self).joined())</item>"
        }
    }

    /// A parental rating in some rating system.
    public struct Rating: Sendable, Hashable {
        /// The rating system, for example `urn:v-chip` or `urn:mpaa`.
        @BytewiseEqual public var scheme: String
        /// The rating, for example `TV-PG`.
        @BytewiseEqual public var value: String

        /// Creates a rating.
        ///
        /// - Parameters:
        ///   - scheme: the rating system, for example `urn:v-chip`.
        ///   - value: the rating, for example `TV-PG`.
        public init(scheme: String, value: String) {
            self.scheme = scheme
            self.value = value
        }
    }
}
