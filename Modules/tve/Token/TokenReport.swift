import Foundation
import TVEDeviceBinding
import TVEModels
import TVETokenCodec

/// A token's values, in the order of output.
struct TokenReport {
    struct Line {
        let name: String
        let value: String
        /// A value computed for the reader, for example a duration.
        var note = ""
        /// Whether the value identifies a viewer or a device.
        var isPrivate = false
    }

    let lines: [Line]

    /// Parses a token of any kind, raw or in Base64.
    ///
    /// - Parameter device: this machine, to say which device the token belongs to.
    /// - Throws: `TokenCodecError` when it is none of the three kinds: the error for the kind that its root suggests.
    init(_ text: String, device: DeviceIdentity?, now: Date) throws(TokenCodecError) {
        let decoder = TokenDecoder()
        let signature = try TokenEnvelope(parsing: text).signature
        var lines: [Line]
        do throws(TokenCodecError) {
            lines = Self.lines(try decoder.authenticationToken(text).claims, device, now)
        } catch .unexpectedRoot {
            do throws(TokenCodecError) {
                lines = Self.lines(try decoder.authorizationToken(text).claims, device, now)
            } catch .unexpectedRoot {
                lines = Self.lines(try decoder.mediaToken(text).claims, now)
            }
        }
        lines.append(Line(name: "signature", value: "\(signature.count * 8) bits, \(Self.start(of: signature))…"))
        self.lines = lines
    }

    private static func lines(_ claims: AuthenticationToken.Claims, _ device: DeviceIdentity?, _ now: Date) -> [Line] {
        var lines = parties("AuthN token: proof of a login", claims.requestorID, claims.mvpdID)
        if let id = claims.subMVPDID { lines.append(Line(name: "behind proxy", value: id.text)) }
        lines += [
            until(claims.expires.date, now),
            Line(name: "bound to", value: owner(of: claims.fingerprint, device)),
            Line(name: "fingerprint", value: claims.fingerprint, isPrivate: true),
            Line(name: "GUID", value: claims.authenticationGUID, isPrivate: true),
        ]
        if let id = claims.samlNameID { lines.append(Line(name: "SAML name", value: id, isPrivate: true)) }
        if let id = claims.samlSessionIndex { lines.append(Line(name: "SAML session", value: id, isPrivate: true)) }
        return lines
    }

    private static func lines(_ claims: AuthorizationToken.Claims, _ device: DeviceIdentity?, _ now: Date) -> [Line] {
        var lines = parties("AuthZ token: permission for a resource", claims.requestorID, claims.mvpdID)
        lines += [
            Line(name: "resource", value: claims.resource.text),
            until(claims.expires.date, now),
            Line(name: "bound to", value: owner(of: claims.fingerprint, device)),
        ]
        if let id = claims.fingerprint { lines.append(Line(name: "fingerprint", value: id, isPrivate: true)) }
        return lines
    }

    private static func lines(_ claims: MediaToken.Claims, _ now: Date) -> [Line] {
        var lines = parties("media token: one playback", claims.requestorID, claims.mvpdID)
        if let id = claims.proxyMVPDID { lines.append(Line(name: "proxy", value: id.text)) }
        return lines + [
            Line(name: "resource", value: claims.resource.text),
            Line(name: "issued", value: claims.issued.date.formatted(.iso8601)),
            until(claims.expires, now), Line(name: "bound to", value: "no device"),
            Line(name: "viewer", value: claims.sessionGUID, isPrivate: true),
        ]
    }

    /// What every kind of token begins with.
    private static func parties(_ kind: String, _ requestor: RequestorID, _ provider: MVPDID) -> [Line] {
        [
            Line(name: "kind", value: kind), Line(name: "requestor", value: requestor.text),
            Line(name: "MVPD", value: provider.text),
        ]
    }

    private static func owner(of fingerprint: String?, _ device: DeviceIdentity?) -> String {
        guard let device else { return "unknown: this machine has no id of its own" }
        return switch device.binding(of: fingerprint) {
        case .mine: "this machine"
        case .foreign: "another device, or another app on this one"
        case .unbound: "no device"
        }
    }

    /// The date, and its distance from now in the two largest units.
    private static func until(_ date: Date, _ now: Date) -> Line {
        let seconds = date.timeIntervalSince(now)
        let units = [(86_400.0, "d"), (3_600, "h"), (60, "min"), (1, "s")]
        var rest = abs(seconds)
        var parts: [String] = []
        for (length, name) in units where parts.count < 2 {
            let count = (rest / length).rounded(.down)
            if count > 0 || !parts.isEmpty { parts.append("\(Int(bounded: count)) \(name)") }
            rest -= count * length
        }
        let distance = parts.isEmpty ? "0 s" : parts.joined(separator: " ")
        return Line(
            name: "valid until", value: date.formatted(.iso8601),
            note: seconds > 0 ? "in \(distance)" : "expired \(distance) ago")
    }

    private static func start(of signature: Data) -> String { String(signature.base64EncodedString().prefix(12)) }
}
