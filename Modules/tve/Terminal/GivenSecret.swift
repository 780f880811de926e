import Foundation
import TVEModels

/// The recognition of keys, statements and tokens that were given where a name or another value is expected.
///
/// Errors repeat the value that they are about, and build servers store the text of errors.
enum GivenSecret {
    /// The length in bytes from which a part of a secret reveals something.
    private static let revealingLength = 20
    /// The longest name of a file in bytes, which no usual file system exceeds.
    private static let longestName = 255

    /// The marks of a key in PEM, a token, and a statement with its header in front.
    private static let marks = ["-----BEGIN ", "<signatureInfo", ".eyJ"]
    /// The first characters of JSON, a token, a key store of Java, DER and PEM in Base64.
    private static let beginnings = ["eyJ", "PHNpZ25hdHVyZUluZm8", "/u3+7Q", "MII", "LS0tLS1CRUdJTi"]

    /// Returns a Boolean value that indicates whether a text in place of a file's name may be the secret itself.
    static func isGiven(asName name: String) -> Bool {
        isSecret(name) || name.parts(separatedBy: "/").contains { $0.utf8.count > longestName }
    }

    /// Returns a Boolean value that indicates whether a text repeats a secret of a command line or a variable.
    static func isRepeated(in text: String, of arguments: [String]) -> Bool {
        let variables = ProcessInfo.processInfo.environment.filter { $0.key.hasBytePrefix("TVE_") }
        let secrets = (arguments + variables.map(\.value)).filter(isSecret)
        guard !secrets.isEmpty else { return false }
        // The text may have the secret in another form, for example without line breaks. Therefore parts are compared.
        let shown = Set(parts(of: text))
        return secrets.contains { !shown.isDisjoint(with: parts(of: $0)) }
    }

    /// Returns all parts of a text that have the length from which one reveals something.
    private static func parts(of text: String) -> [ArraySlice<UInt8>] {
        let bytes = Array(text.utf8)
        guard bytes.count >= revealingLength else { return [] }
        return (0...bytes.count - revealingLength).map { bytes[$0..<$0 + revealingLength] }
    }

    private static func isSecret(_ text: String) -> Bool {
        if marks.contains(where: { text.containsBytes(of: $0) }) { return true }
        let value = text.divided(at: "=").after ?? text[...]
        return [text[...], value].contains { part in
            let start = part.utf8.drop { " \t\r\n\"'@".utf8.contains($0) }
            return start.count >= revealingLength && beginnings.contains { start.starts(with: $0.utf8) }
        }
    }
}
