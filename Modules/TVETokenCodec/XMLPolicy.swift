import Foundation

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

    /// Whether the scanner reads what it can; if not, libxml2 reads everything.
    ///
    /// The results are the same, so this is for those who compare the two.
    package var usesScanner = Self.usesScannerByDefault

    /// False when the environment says `TVE_CODEC_SCANNER=off`: the same tests are then run without the scanner.
    package static let usesScannerByDefault =
        ProcessInfo.processInfo.environment["TVE_CODEC_SCANNER"] != "off"

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

    /// Refuses what must not reach the library: nothing, too much, or elements with very many attributes.
    ///
    /// - Parameters:
    ///   - bytes: the document.
    ///   - whole: how many bytes what it came in has; offsets have 32 bits.
    func check(_ bytes: UnsafeBufferPointer<UInt8>, of whole: Int) throws(TokenCodecError) {
        guard !bytes.isEmpty else { throw .empty }
        guard bytes.count <= maximumBytes, whole < Int32.max else { throw .tooLarge(limit: maximumBytes) }
        // An attribute takes five bytes at least, so most tokens cannot have too many.
        guard bytes.count / 5 > maximumAttributes, hasManyAttributes(bytes) else { return }
        throw .tooManyAttributes(limit: maximumAttributes)
    }

    /// Whether an element may have too many attributes: the library compares each with all before it, and calls no
    /// handler until it is through.
    ///
    /// A raw `<` can stand in no attribute, so an element's attributes lie between two of them; counting every `=` there
    /// counts some text too, which is why the limit is generous.
    private func hasManyAttributes(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        // Few documents have so many of them altogether, which is told much faster.
        guard bytes.count(of: UInt8(ascii: "="), upTo: maximumAttributes + 1) > maximumAttributes else { return false }
        var equals = 0
        for byte in bytes {
            if byte == UInt8(ascii: "<") {
                equals = 0
            } else if byte == UInt8(ascii: "=") {
                equals += 1
                if equals > maximumAttributes { return true }
            }
        }
        return false
    }
}
