import Foundation
import TVEDeviceBinding
import TVEModels
import TVETokenCodec

/// The values of a token, in the order in which they are printed.
struct TokenReport {
    struct Line {
        let name: String
        let value: String
        /// A value computed for the reader, for example a duration.
        var note = ""
        /// A Boolean value that indicates whether the value identifies a viewer or a device.
        var isPrivate = false
    }

    let lines: [Line]

    /// Parses a token of any kind, raw or in Base64.
    ///
    /// - Parameters:
    ///   - text: the token.
    ///   - devices: the identities of this machine, with which the token's fingerprint is compared; none if it has no
    ///     id.
    ///   - now: the current time.
    /// - Throws: the `TokenCodecError` for the kind that the root suggests, if the token is none of the three kinds.
    init(_ text: String, devices: [DeviceIdentity], now: Date) throws(TokenCodecError) {
        let decoder = TokenDecoder()
        let signature = try TokenEnvelope(parsing: text).signature
        var lines: [Line]
        do throws(TokenCodecError) {
            lines = Self.lines(of: try decoder.authenticationToken(text).claims, devices: devices, now: now)
        } catch .unexpectedRoot {
            do throws(TokenCodecError) {
                lines = Self.lines(of: try decoder.authorizationToken(text).claims, devices: devices, now: now)
            } catch .unexpectedRoot {
                lines = Self.lines(of: try decoder.mediaToken(text).claims, now: now)
            }
        }
        lines.append(Line(name: "signature", value: "\(signature.count * 8) bits, \(Self.start(of: signature))…"))
        self.lines = lines
    }

    private static func lines(
        of claims: AuthenticationToken.Claims, devices: [DeviceIdentity], now: Date
    ) -> [Line] {
        var lines = parties(
            kind: "AuthN token: proof of a login", requestor: claims.requestorID, provider: claims.mvpdID)
        if let id = claims.subMVPDID { lines.append(Line(name: "behind proxy", value: id.text)) }
        lines += [
            until(claims.expires.date, now),
            Line(name: "bound to", value: owner(of: claims.fingerprint, devices)),
            Line(name: "fingerprint", value: claims.fingerprint, isPrivate: true),
            Line(name: "GUID", value: claims.authenticationGUID, isPrivate: true),
        ]
        if let id = claims.samlNameID { lines.append(Line(name: "SAML name", value: id, isPrivate: true)) }
        if let id = claims.samlSessionIndex { lines.append(Line(name: "SAML session", value: id, isPrivate: true)) }
        return lines
    }

    private static func lines(
        of claims: AuthorizationToken.Claims, devices: [DeviceIdentity], now: Date
    ) -> [Line] {
        var lines = parties(
            kind: "AuthZ token: permission for a resource", requestor: claims.requestorID, provider: claims.mvpdID)
        lines += [
            Line(name: "resource", value: claims.resource.text),
            until(claims.expires.date, now),
            Line(name: "bound to", value: owner(of: claims.fingerprint, devices)),
        ]
        if let id = claims.fingerprint { lines.append(Line(name: "fingerprint", value: id, isPrivate: true)) }
        return lines
    }

    private static func lines(of claims: MediaToken.Claims, now: Date) -> [Line] {
        var lines = parties(
            kind: "media token: one playback", requestor: claims.requestorID, provider: claims.mvpdID)
        if let id = claims.proxyMVPDID { lines.append(Line(name: "proxy", value: id.text)) }
        return lines + [
            Line(name: "resource", value: claims.resource.text),
            Line(name: "issued", value: claims.issued.date.formatted(.iso8601)),
            until(claims.expires, now), Line(name: "bound to", value: "no device"),
            Line(name: "viewer", value: claims.sessionGUID, isPrivate: true),
        ]
    }

    /// Returns the first lines of the report, which every kind of token has.
    private static func parties(kind: String, requestor: RequestorID, provider: MVPDID) -> [Line] {
        [
            Line(name: "kind", value: kind), Line(name: "requestor", value: requestor.text),
            Line(name: "MVPD", value: provider.text),
        ]
    }

    private static func owner(of fingerprint: String?, _ devices: [DeviceIdentity]) -> String {
        let bindings = devices.map { $0.binding(of: fingerprint) }
        if bindings.isEmpty { return "unknown: this machine has no id of its own" }
        if bindings.contains(.mine) { return "this machine" }
        return bindings.contains(.unbound) ? "no device" : "another device, or another app on this one"
    }

    /// Returns a line with the end of the token and its distance from now in the two largest units.
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
