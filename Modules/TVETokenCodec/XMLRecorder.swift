/// Holds a document, puts the parser's events on its tape and keeps the limits.
struct XMLRecorder {
    private(set) var tape = XMLTape()
    /// The names that decoders compare the tape's with; from the same parser.
    var names: KnownNames
    /// Fills the tape without the parser when it can; its names are from the same parser.
    var scanner: XMLScanner
    /// The parser's context, for who has to stop it.
    var parser: UnsafeMutableRawPointer
    /// Why the document was refused; the first reason stays.
    private(set) var refusal: TokenCodecError?
    /// Whether there is a refusal, told faster.
    private(set) var isRefused = false
    private var bytes = KeptBuffer<UInt8>(keeping: 4_096)
    /// The signature that came with the document.
    private(set) var signature = KeptBuffer<UInt8>(keeping: 512)
    private var policy = XMLPolicy.token
    private var depth = 0
    private var elements = 0

    init(names: KnownNames, scanner: XMLScanner, parser: UnsafeMutableRawPointer) {
        self.names = names
        self.scanner = scanner
        self.parser = parser
    }

    func deallocate() {
        bytes.deallocate()
        signature.deallocate()
        tape.deallocate()
        names.deallocate()
        scanner.deallocate()
    }

    /// Takes in a text and puts zeros behind it: the library needs one, the scanner several.
    mutating func load(_ text: UnsafeBufferPointer<UInt8>) {
        bytes.reserve(text.count + PaddedBytes.padding)
        bytes.append(contentsOf: text)
        bytes.append(0, count: PaddedBytes.padding)
    }

    /// The bytes of the text, without the zeros.
    var source: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: bytes.elements.dropLast(PaddedBytes.padding))
    }

    /// Decodes a part of the text as the signature; false when it is not Base64.
    mutating func decodeSignature(_ range: Range<Int>) -> Bool {
        Base64.decode(UnsafeBufferPointer(rebasing: source[range]), into: &signature)
    }

    /// Reads the end of the text without the parser.
    ///
    /// - Returns: false when that cannot be done, so that the parser must; the tape is then worth nothing.
    mutating func scan(from start: Int, _ policy: XMLPolicy) -> Bool {
        tape.begin(source)
        return scanner.scan(PaddedBytes(UnsafeBufferPointer(bytes.elements)), from: start, policy, parser, onto: &tape)
    }

    /// Gets ready for the parser's events of the text.
    mutating func begin(_ policy: XMLPolicy) {
        self.policy = policy
        depth = 0
        elements = 0
        tape.begin(source)
    }

    /// Forgets everything about the text.
    mutating func end() {
        bytes.removeAll()
        signature.removeAll()
        tape.end()
        guard isRefused else { return }
        refusal = nil
        isRefused = false
    }

    var allowsComments: Bool { policy.allowsComments }

    // MARK: - Events

    mutating func refuse(_ error: TokenCodecError) {
        guard !isRefused else { return }
        refusal = error
        isRefused = true
    }

    /// An attribute of the element that is about to start.
    mutating func attribute(name: UnsafePointer<UInt8>, value: Range<UnsafePointer<UInt8>>) {
        guard !isRefused else { return }
        let bytes = UnsafeBufferPointer(start: value.lowerBound, count: value.upperBound - value.lowerBound)
        tape.attribute(name: name, value: bytes)
    }

    @inline(__always)
    mutating func startElement(name: UnsafePointer<UInt8>, namespace: UnsafePointer<UInt8>?, hasAttributes: Bool) {
        guard !isRefused else { return }
        depth &+= 1
        elements &+= 1
        guard depth <= policy.maximumDepth else { return refuse(.tooDeep(limit: policy.maximumDepth)) }
        guard elements <= policy.maximumElements else {
            return refuse(.tooManyElements(limit: policy.maximumElements))
        }
        tape.startElement(name: name, namespace: namespace, hasAttributes: hasAttributes)
    }

    @inline(__always)
    mutating func text(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard !isRefused else { return }
        tape.text(bytes)
    }

    @inline(__always)
    mutating func endElement() {
        guard !isRefused else { return }
        depth &-= 1
        tape.endElement()
    }
}
