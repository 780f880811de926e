/// What an XML input may be at most; everything beyond is refused.
public struct XMLPolicy: Sendable, Hashable {
    /// Longest input, in bytes.
    public var maximumBytes: Int
    /// Deepest nesting of elements.
    public var maximumDepth: Int
    /// Most elements.
    public var maximumElements: Int
    /// Most attributes of one element; a `=` in the text before the next element counts as one.
    public var maximumAttributes: Int
    /// Whether comments are skipped; if not, they are refused.
    public var allowsComments: Bool

    /// Sets limits.
    ///
    /// - Parameters:
    ///   - maximumBytes: longest input, in bytes.
    ///   - maximumDepth: deepest nesting of elements.
    ///   - maximumElements: most elements.
    ///   - allowsComments: whether comments are skipped instead of refused.
    ///   - maximumAttributes: most attributes of one element.
    public init(
        maximumBytes: Int, maximumDepth: Int, maximumElements: Int, allowsComments: Bool, maximumAttributes: Int = 256
    ) {
        self.maximumBytes = maximumBytes
        self.maximumDepth = maximumDepth
        self.maximumElements = maximumElements
        self.allowsComments = allowsComments
        self.maximumAttributes = maximumAttributes
    }

    /// Signed token bodies: small, flat, made by a machine.
    public static let token = XMLPolicy(
        maximumBytes: 256 << 10, maximumDepth: 16, maximumElements: 4_096, allowsComments: false)

    /// Answers of the service; a configuration with 10,000 providers fits.
    public static let answer = XMLPolicy(
        maximumBytes: 16 << 20, maximumDepth: 32, maximumElements: 500_000, allowsComments: true)
}
