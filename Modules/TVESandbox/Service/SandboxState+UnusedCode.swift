import Foundation

extension SandboxState.Tables {
    /// Returns a registration code that is not in use.
    func unusedCode(at now: Date) -> String {
        var text = Self.randomCode()
        while codes.entry(text, at: now) != nil { text = Self.randomCode() }
        return text
    }

    /// Returns seven upper-case letters and digits, without those that are easily confused.
    private static func randomCode() -> String {
        let alphabet = Array("ABCDEFGHJKLMNPQRSTUVWXYZ23456789")
        return String((0..<7).compactMap { _ in alphabet.randomElement() })
    }
}
