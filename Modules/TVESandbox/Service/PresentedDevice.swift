import Crypto
import Foundation
import TVEModels

/// The device that a request claims to come from: in headers or in form fields, by dialect.
struct PresentedDevice: Sendable {
    let id: String
    /// The fingerprint in tokens for this device.
    let fingerprint: String
    let fragments: AuthenticationToken.DeviceFragments?

    init(_ state: SandboxState, _ request: SandboxRequest, _ dialect: Dialect) throws(SandboxRefusal) {
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
