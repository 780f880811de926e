import ArgumentParser
import Foundation
import TVESandbox

extension SandboxKey {
    /// The key of the sandboxes of this tool; nil for a new one.
    ///
    /// - Parameter file: a file with a private key; by default that of `TVE_SANDBOX_KEY`.
    static func ofThisTool(_ file: String? = nil) throws -> SandboxKey? {
        guard let path = file ?? ProcessInfo.processInfo.environment["TVE_SANDBOX_KEY"] else { return nil }
        do {
            return try SandboxKey(privateKeyPEM: String(contentsOfFile: path, encoding: .utf8))
        } catch {
            throw ValidationError("\(path) has no private RSA key of 2,048 bits or more in PEM.")
        }
    }
}
