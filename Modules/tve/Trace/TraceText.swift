import Foundation
import TVEModels
import TVEStorage
import TVETestSupport

/// A text of a trace, composed of parts that every reader may see and of ids that only `--trace-ids` shows.
///
/// Literals and numbers are visible to everyone. An interpolated text must be labelled `name:` or `id:`. No other text
/// can be interpolated, and nothing searches for ids in a finished text. A resource reveals what a viewer watches, and
/// a fingerprint reveals the device, so either can identify a viewer. A text that grants access (a token, a code, a
/// query) is never a part.
struct TraceText: ExpressibleByStringInterpolation, Sendable, Equatable {
    fileprivate enum Part: Equatable {
        case name(String)
        case id(String)
    }

    private var parts: [Part]

    init(stringLiteral text: String) { parts = [.name(text)] }
    init(stringInterpolation text: StringInterpolation) { parts = text.parts }

    /// Returns the text with its ids, or with an ellipsis in place of each id.
    func text(showsIDs: Bool) -> String {
        parts.map { part in
            switch part {
            case .name(let text): text
            case .id(let text): showsIDs ? text : "…"
            }
        }.joined()
    }

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var parts: [Part] = []

        init(literalCapacity: Int, interpolationCount: Int) {}

        mutating func appendLiteral(_ text: String) { parts.append(.name(text)) }

        mutating func appendInterpolation(_ number: some BinaryInteger) { parts.append(.name("\(number)")) }

        mutating func appendInterpolation(_ text: TraceText) { parts += text.parts }

        /// Appends a word of this project, the service or a TV provider that identifies no viewer, device or resource.
        mutating func appendInterpolation(name: String) { parts.append(.name(name)) }

        /// Appends a text that can identify a viewer, a device or a resource.
        mutating func appendInterpolation(id: String) { parts.append(.id(id)) }

        /// Appends several texts with a separator between them.
        mutating func appendInterpolation(_ texts: [TraceText], separator: String) {
            for (place, text) in texts.enumerated() {
                if place > 0 { parts.append(.name(separator)) }
                parts += text.parts
            }
        }
    }
}

extension TraceText {
    /// Creates the text of a URL or its path, without the query and without the code at the end of some paths.
    ///
    /// The paths of TV providers are unknown, so segments that do not look like words are treated as ids.
    init(page url: String) {
        let segments = url.withoutRegistrationCode.parts(separatedBy: "/").map { String($0) }
        let isAbsolute = segments.count > 2 && segments[0].hasByteSuffix(":") && segments[1].isEmpty
        let origin = isAbsolute && !segments[2].containsBytes(of: "@") ? 3 : 0
        let parts = segments.enumerated().map { place, segment in
            place < origin || segment == "…" ? "\(name: segment)" : TraceText(field: segment)
        }
        self = "\(parts, separator: "/")"
    }

    /// Creates the text of a path's segment or of a field's name, which is an id unless it looks like a word.
    init(field text: String) {
        let bytes = text.utf8
        let isWord =
            bytes.count <= 40 && bytes.count { (0x30...0x39).contains($0) } <= 3
            && bytes.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                default: "-_.:".utf8.contains(byte)
                }
            }
        self = isWord ? "\(name: text)" : "\(id: text)"
    }

    /// Creates the text of a storage key, in which only the kinds of entries are visible to everyone.
    init(key: StorageKey) {
        self = "\(Self.components(key), separator: "/")"
    }

    /// Creates the text of the last component of a storage key.
    init(endOf key: StorageKey) {
        let components = Self.components(key)
        self = components.count > 1 ? "…/\(components[components.count - 1])" : "\(components, separator: "/")"
    }

    private static func components(_ key: StorageKey) -> [TraceText] {
        key.rawValue.parts(separatedBy: "/").map { String($0) }.map { kinds.contains($0) ? "\(name: $0)" : "\(id: $0)" }
    }

    private static let kinds: Set<String> = [
        "requestor", "quarantine", "imported", "begun", "logout", "device", "seed", "id", "registration", "mvpd",
        "authn", "authz", "authz-sha256", "pending", "preauthorization", "canAuthenticate", "platform", "current",
        "card", "all", "newer", "closed", "metadata", "probe",
    ]
}

extension TraceText {
    /// Creates the text of a callback with the arguments that its description contains.
    init(_ callback: ClassicCallback) {
        switch callback {
        case .requestorComplete(let status): self = "setRequestorComplete(\(status))"
        case .authenticationStatus(let status, let code): self = "setAuthenticationStatus(\(status), \"\(name: code)\")"
        case .providerDialog(let ids): self = "displayProviderDialog(\(ids.map { "\(name: $0)" }, separator: ", "))"
        case .navigate(let url): self = "navigate(toUrl: \(TraceText(page: url))?…)"
        case .navigateInSafari(let url, let useSVC):
            self = "navigate(toUrl: \(TraceText(page: url))?…, useSVC: \(name: "\(useSVC)"))"
        case .presentPlatformDialog: self = "presentTvProviderDialog"
        case .dismissPlatformDialog: self = "dismissTvProviderDialog"
        case .preauthorizedResources(let ids):
            self = "preauthorizedResources([\(ids.map { "\(id: $0)" }, separator: ", ")])"
        // A trace never contains the metadata of a viewer.
        case .metadata(let value, let encrypted, let key, let arguments):
            let topic = ClassicCallback.topic(of: arguments)
            let shown = value == nil ? "nil" : "…"
            self = "setMetadataStatus(\(name: shown), encrypted: \(name: "\(encrypted)"), \(key), \(id: topic))"
        case .selectedProvider(let id): self = "selectedProvider(\(name: id ?? "nil"))"
        case .token(let token, let resource):
            self = "setToken(\(token.utf8.count) bytes, forResource: \(id: resource))"
        case .tokenRequestFailed(let resource, let code, let description):
            self = "tokenRequestFailed(\(id: resource), \"\(name: code)\", \"\(id: description)\")"
        case .tracking(let data, let event):
            self = "sendTrackingData([\(data.map { "\(id: $0)" }, separator: ", ")], \(event))"
        // The message is left out, because a registration code can be exchanged for a login.
        case .status(let id, let level, .some, _) where id == StatusCode.registrationCode.rawValue:
            self = "status(\(name: id), \(name: level), …)"
        case .status(let id, let level, let message?, _):
            self = "status(\(name: id), \(name: level), \"\(id: message)\")"
        case .status(let id, let level, nil, _): self = "status(\(name: id), \(name: level))"
        }
    }
}
