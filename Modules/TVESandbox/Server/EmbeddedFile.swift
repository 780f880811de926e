internal import CTVESandboxFiles

/// The files of the sources that the program carries within itself: API descriptions, style sheets and scripts.
package enum EmbeddedFile {
    /// Returns the text of a file.
    ///
    /// - Parameter name: a name that `CTVESandboxFiles` lists, such as `console.css`.
    package static func text(_ name: String) -> String {
        // Only the code of this package names files, and each of them is part of an answer that the tests look at.
        guard let text = text(ifListed: name) else { preconditionFailure("CTVESandboxFiles lists no \(name).") }
        return text
    }

    /// Returns the text of a file, or `nil` if the program carries none of this name.
    package static func text(ifListed name: String) -> String? {
        guard let text = unsafe tve_sandbox_file(name) else { return nil }
        return unsafe String(cString: text)
    }
}
