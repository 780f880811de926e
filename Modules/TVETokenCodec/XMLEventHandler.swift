/// Receives the events of one document, in document order and balanced.
protocol XMLEventHandler: AnyObject {
    /// An element begins; it has no text and no children yet.
    func start(_ element: XMLElement)
    /// Text or CDATA of the innermost open element; may come in several pieces.
    func text(_ text: String)
    /// The innermost open element ends.
    func end()
}
