/// The service's own description of an error and of the recommended reaction (wire protocol, preauthorize).
///
/// Every part may be missing.
public struct EnhancedError: Sendable, Hashable, Codable, Redacting {
    /// The HTTP status that belongs to the error, for example 403.
    public var status: Int?
    /// The machine code, for example `authorization_denied_by_mvpd`.
    public var code: String?
    /// A sentence for developers, which must not be shown to a viewer.
    public var message: String?
    /// The provider's text for the viewer.
    public var details: String?
    /// The address of a page about the error.
    public var helpURL: String?
    /// The trace id to quote when contacting the service about this response.
    public var trace: String?
    /// The recommended action of the app, for example `none` or `retry`.
    public var action: String?

    /// Creates an error.
    ///
    /// Pass nil for parts that are unknown.
    ///
    /// - Parameters:
    ///   - status: the HTTP status that belongs to the error.
    ///   - code: the machine code.
    ///   - message: a sentence for developers.
    ///   - details: the provider's text for the viewer.
    ///   - helpURL: the address of a page about the error.
    ///   - trace: the trace id to quote when contacting the service.
    ///   - action: the recommended action of the app.
    public init(
        status: Int? = nil, code: String? = nil, message: String? = nil, details: String? = nil,
        helpURL: String? = nil, trace: String? = nil, action: String? = nil
    ) {
        self.status = status
        self.code = code
        self.message = message
        self.details = details
        self.helpURL = helpURL
        self.trace = trace
        self.action = action
    }

    /// Reads an error from a response of the service, or one that was encoded.
    ///
    /// - Parameter decoder: the decoder to read from.
    /// - Throws: `DecodingError` for a value that is not an object.
    public init(from decoder: any Decoder) throws { try self.init(reading: decoder) }

    /// The status, the code and the action.
    ///
    /// The texts are omitted, because the provider may write them for one viewer.
    public var redactedDescription: String {
        let parts = [status.map { "\($0)" }, code?.orUnknown, action?.orUnknown]
        return "EnhancedError(\(parts.compactMap(\.self).joined(separator: ", ")))"
    }
}

extension EnhancedError: JSONReadable {
    private enum Field: String, CaseIterable {
        case error, status, code, message, details, helpUrl, helpURL, trace, action
    }

    private static let names = JSONNames<Field>()

    /// Reads the error from a response or from storage.
    ///
    /// The documentation shows the members at the top level of a response, but describes them inside a member `error`.
    /// Both forms are read, and each member may be missing. An empty member `error` states nothing, so the
    /// members beside it are read.
    package init?(_ json: inout JSONCursor) throws(UntrustedJSONError) {
        var outer = EnhancedError()
        var inner: EnhancedError?
        let isObject = try json.object(Self.names) { (field, json) throws(UntrustedJSONError) in
            switch field {
            case .error:
                if json.isAtObject(), let error = try EnhancedError(&json), error != EnhancedError() { inner = error }
            case .status: outer.status = try json.wholeNumber()
            case .code: outer.code = try json.identifier()
            case .message: outer.message = try json.text()
            // A blank text would take the place of a sentence that says something.
            case .details: outer.details = try json.trimmedText().flatMap { $0.isEmpty ? nil : $0 }
            // The first name is the service's spelling, the second is the one in storage.
            case .helpUrl, .helpURL: outer.helpURL = try json.text()
            case .trace: outer.trace = try json.text()
            case .action: outer.action = try json.identifier()
            }
        }
        guard isObject else { return nil }
        self = inner ?? outer
    }
}
