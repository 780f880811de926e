import Foundation
import TVESandbox
import TVETokenVerification

extension SandboxKey {
    /// Returns the key for the sandboxes of this tool, or `nil` if each sandbox creates a new one.
    ///
    /// - Parameter file: the file with the private key; `nil` selects the file in the variable `TVE_SANDBOX_KEY`.
    /// - Throws: `ToolFailure` if the file cannot be read or does not contain a usable key.
    static func ofThisTool(_ file: String? = nil) throws -> SandboxKey? {
        guard let path = file ?? Variables.value("TVE_SANDBOX_KEY") else { return nil }
        let bytes = try NamedFile.bytes(path)
        do throws(PrivateKeyFault) {
            return try SandboxKey(content: bytes)
        } catch {
            throw ToolFailure(FileFault.noSigningKey(path, error))
        }
    }
}
