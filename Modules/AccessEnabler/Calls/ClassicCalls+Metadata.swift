import TVEFlowEngine
import TVEModels

extension ClassicCalls {
    func getMetadata(_ key: [AnyHashable: Any]?) {
        let request = MetadataRequest(key)
        submitLong { [callbacks] session in
            var answer: Metadata?
            if let key = request.key { answer = (try? await session.metadata(key)).flatMap(\.self) }
            callbacks.metadata(answer, request)
        } orFail: { [callbacks] _ in
            callbacks.metadata(nil, request)
        }
    }
}

/// The argument of `getMetadata`.
///
/// The conformance is unchecked because `[AnyHashable: Any]` is not `Sendable`. The dictionary comes from the app, is
/// returned to it, and never changes.
struct MetadataRequest: @unchecked Sendable {
    let arguments: [AnyHashable: Any]
    /// The number of the requested kind of value, or -1 when the argument has none.
    let opCode: Int32
    /// The value to request, or nil when the arguments do not name a known one.
    let key: MetadataKey?

    init(_ arguments: [AnyHashable: Any]?) {
        let arguments = arguments ?? [:]
        self.arguments = arguments
        opCode = Self.number(arguments[METADATA_OPCODE_KEY]) ?? -1
        switch opCode {
        case METADATA_AUTHENTICATION: key = .authenticationExpiry
        case METADATA_AUTHORIZATION:
            key = (arguments[METADATA_RESOURCE_ID_KEY] as? String).map { .authorizationExpiry(Resource($0)) }
        case METADATA_DEVICE_ID: key = .deviceID
        case METADATA_USER_META: key = (arguments[METADATA_USER_META_KEY] as? String).map { .user($0) }
        default: key = nil
        }
    }

    /// Converts a number whose type depends on the app's language (API reference, `getMetadata`).
    private static func number(_ value: Any?) -> Int32? {
        switch value {
        case let number as Int32: number
        case let number as any BinaryInteger: Int32(exactly: number)
        case let text as String: Int32(text)
        default: nil
        }
    }
}
