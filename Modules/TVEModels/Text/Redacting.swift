/// A value that carries a secret and prints a replacement text.
///
/// Conformers get `description`, `debugDescription` and `customMirror` from ``redactedDescription``, so that printing,
/// string interpolation, `dump` and logging all show the same harmless text.
public protocol Redacting: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The replacement text: what kind of value it is, never its content.
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
