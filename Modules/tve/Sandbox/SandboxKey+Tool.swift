import ArgumentParser
import Foundation
import TVESandbox

extension SandboxKey {
    /// The key of the sandboxes of this tool; nil for a new one.
    ///
    /// - Parameter file: a file with a private key; by default that of `TVE_SANDBOX_KEY`.
    static func ofThisTool(_ file: String? = nil) throws -> SandboxKey? {
        guard let path = file ?? ProcessInfo.processInfo.environment["TVE_SANDBOX_KEY"] else { return nil }
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            throw ValidationError("\(path) cannot be read.")
        }
        guard let key = try? SandboxKey(privateKeyPEM: text) else {
            throw ValidationError("\(path) has no private RSA key of 2,048 bits or more in PEM.")
        }
        return key
    }
}
