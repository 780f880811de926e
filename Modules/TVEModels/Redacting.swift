/// A value that carries a secret and shows a stand-in wherever it is printed.
///
/// Conformers get `description`, `debugDescription` and `customMirror` from ``redactedDescription``, so that printing,
/// string interpolation, `dump` and logging all show the same harmless text.
public protocol Redacting: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The text shown instead of the content: what the value is, never what it says.
    var redactedDescription: String { get }
}

extension Redacting {
    /// The redacted text.
    public var description: String { redactedDescription }
    /// The redacted text.
    public var debugDescription: String { redactedDescription }
    /// A mirror without children, so that `dump` finds nothing to show.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
