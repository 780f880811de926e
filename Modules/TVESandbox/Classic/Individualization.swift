import Crypto
import FlyingFox
import Foundation
import TVEModels

/// The route that gives browsers a device id, which is always the same for the same fingerprint.
enum Individualization {
    static func device(_ state: SandboxState, _ request: SandboxRequest) throws(SandboxRefusal) -> HTTPResponse {
        guard let body = try? UntrustedJSON.decode([String: String].self, from: request.body, .small),
            let fingerprint = body["fingerprint"], !fingerprint.isEmpty
        else { throw SandboxRefusal(.status(400)) }
        let deviceID = String(SHA256.hash(data: Data("device\n\(fingerprint)".utf8)).hexadecimal.prefix(32))
        var response = HTTPResponse.json(["deviceId": deviceID])
        response.headers[HTTPHeader("pass_sfp")] = signature(state, of: deviceID)
        return response
    }

    /// Returns a Boolean value that indicates whether the sandbox has issued a signature for a device id.
    static func isValid(_ signature: String, for deviceID: String, _ state: SandboxState) -> Bool {
        // A header cannot contain a line break, so a line break can take the place of the two-character separator.
        let parts = signature.replacingBytes(of: "--", with: "\n").parts(separatedBy: "\n").map { String($0) }
        guard parts.count == 4, parts[2].isSameBytes(as: deviceID), let mac = parts[3].removingPercentEncoding else {
            return false
        }
        return mac.isSameBytes(as: authenticator(state, parts[0], parts[1], deviceID))
    }

    /// Returns the signature of a device id: a random text, a hash, the device id, and a MAC over these three (wire
    /// protocol, individualization).
    private static func signature(_ state: SandboxState, of deviceID: String) -> String {
        let random = SandboxState.randomID()
        let hash = SHA256.hash(data: Data("\(random)\(deviceID)".utf8)).hexadecimal
        let mac = authenticator(state, random, hash, deviceID)
        let encoded = mac.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? mac
        return [random, hash, deviceID, encoded].joined(separator: "--")
    }

    private static func authenticator(_ state: SandboxState, _ parts: String...) -> String {
        let content = Data(parts.joined(separator: "--").utf8)
        return Data(HMAC<Insecure.SHA1>.authenticationCode(for: content, using: state.secret)).base64EncodedString()
    }
}

/// The dialect of a classic request, which decides how the client identifies its device.
enum Dialect {
    case web, device
}

/// The device from which a request claims to come, in headers or in form fields, depending on the dialect.
struct PresentedDevice: Sendable {
    let id: String
    /// The fingerprint that tokens for this device contain.
    let fingerprint: String
    let fragments: AuthenticationToken.DeviceFragments?

    init(_ state: SandboxState, _ request: SandboxRequest, dialect: Dialect) throws(SandboxRefusal) {
        switch dialect {
        case .device:
            id = try request.required("device_id")
            fingerprint = Self.sha1(id)
            fragments = nil
        case .web:
            let values = ["ap_42", "ap_11", "ap_z", "ap_21", "pass_sfp"].map { request.header($0) ?? "" }
            guard !values.contains("") else {
                throw SandboxRefusal(.xmlError("missing", "A device header is missing", status: 400))
            }
            guard Individualization.isValid(values[4], for: values[3], state) else {
                throw SandboxRefusal(.xml("<error><reason>34763</reason></error>", status: 400))
            }
            id = values[3]
            // The web dialect's fingerprint is the device id itself.
            fingerprint = values[3]
            fragments = AuthenticationToken.DeviceFragments(
                browser: Self.sha1(values[2]), platform: Self.sha1(values[1]), vendor: Self.sha1(values[0]),
                address: Self.sha1(request.address))
        }
    }

    private static func sha1(_ text: String) -> String {
        Insecure.SHA1.hash(data: Data(text.utf8)).hexadecimal
    }
}
