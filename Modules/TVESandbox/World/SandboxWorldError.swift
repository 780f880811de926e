public import TVEModels

/// An error in a world.
public enum SandboxWorldError: Error, Sendable, Equatable, CustomStringConvertible {
    /// An id occurs twice, is empty, or begins or ends with white space.
    case badID(String)
    /// A requestor refers to a provider that does not exist.
    case unknownProvider(MVPDID, requestor: RequestorID)
    /// A value is out of its range.
    case outOfRange(String)

    /// A sentence that names the place, and one about what to do.
    public var description: String {
        switch self {
        case .badID(let id):
            "The id \"\(id)\" is empty, begins or ends with a blank, or occurs twice. "
                + "Give each one an id of its own, without blanks at its ends."
        case .unknownProvider(let id, let requestor):
            "Requestor \(requestor) names the unknown provider \"\(id)\". Add the provider, or remove its id there."
        case .outOfRange(let name):
            "The value of \(name) is not allowed. Documentation/Sandbox.md describes the fields of a world."
        }
    }
}

extension SandboxWorld {
    /// Checks that ids are unique, that references exist, and that numbers are in their ranges.
    ///
    /// - Throws: `SandboxWorldError` for the first error.
    public func validate() throws(SandboxWorldError) {
        if let mistake = mistakes.first { throw mistake.error }
    }
}
