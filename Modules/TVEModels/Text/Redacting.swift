/// A value that contains a secret and prints a replacement text instead.
///
/// Conforming types get `description`, `debugDescription` and `customMirror` from ``redactedDescription``, so that
/// printing, string interpolation, `dump` and logging all show the same harmless text.
public protocol Redacting: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The replacement text, which names the kind of value and never its content.
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
