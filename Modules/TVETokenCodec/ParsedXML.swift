import TVEModels

/// The document an ``XMLReader`` has just parsed.
///
/// It points into the reader and into the document's bytes, so it is worth something only inside the closure it was
/// handed to.
struct ParsedXML {
    /// The root element's position.
    static let root = 0

    private let recorder: UnsafePointer<XMLRecorder>

    init(_ recorder: UnsafePointer<XMLRecorder>) {
        self.recorder = recorder
    }

    /// The names that decoders look for.
    var names: KnownNames { recorder.pointee.names }

    subscript(position: Int) -> XMLNode {
        @inline(__always) get { recorder.pointee.tape.nodes[position] }
    }

    /// The bytes of a text node.
    @inline(__always)
    func bytes(of node: XMLNode) -> UnsafeBufferPointer<UInt8> { recorder.pointee.tape.bytes(of: node.span) }

    /// The text of an element that holds nothing else, nil when it holds elements.
    @inline(__always)
    func text(of position: Int) -> UnsafeBufferPointer<UInt8>? {
        switch Int(self[position].end) - position {
        case 1: return UnsafeBufferPointer(start: nil, count: 0)
        case 2 where self[position + 1].isText: return bytes(of: self[position + 1])
        default: return nil
        }
    }

    /// The name of an element without prefix, empty for text.
    func name(of position: Int) -> String { self[position].name.map { String(cString: $0) } ?? "" }

    /// The positions of what is directly inside an element, in order.
    func children(of position: Int) -> some Sequence<Int> {
        sequence(state: position + 1) { next in
            guard next < Int(self[position].end) else { return nil }
            defer { next = Int(self[next].end) }
            return next
        }
    }

    /// Names and values of the element's attributes.
    func attributes(of position: Int) -> [(name: String, value: String)] {
        let span = self[position].span
        return (span.start..<span.end).map { index in
            let attribute = recorder.pointee.tape.attributes[Int(index)]
            let value = String(decoding: recorder.pointee.tape.bytes(of: attribute.value), as: UTF8.self)
            // Without entity substitution the library leaves every ampersand of a value in this one spelling.
            return (String(cString: attribute.name), value.replacingBytes(of: "&#38;", with: "&"))
        }
    }
}
