import Foundation
import TVEConformance
import TVEModels
import TVESandbox
import TVETokenVerification

/// A fault of a file, of a directory or of standard input.
enum FileFault: ToolFault {
    /// A file that cannot be read, with the system's reason.
    case cannotRead(String, reason: String)
    /// A secret in place of the name of the file with it.
    case secretAsName
    /// The name of a file in place of the software statement in it.
    case nameAsStatement(String)
    /// A name with a line break.
    case lineBreakInName
    /// An empty name.
    case emptyName
    /// A name with the sign `@` before it, which only a software statement needs.
    case needlessSign(String)
    /// A name with a tilde that the shell has not replaced, as after an equals sign.
    case tildeInName(String)
    /// A standard input that cannot be read, with the system's reason.
    case cannotReadInput(reason: String)
    /// A file that exists where a new one is to be written.
    case exists(String)
    /// A file that cannot be written, with the system's reason.
    case cannotWrite(String, reason: String)
    /// A pipe, a link or a device that another user has put into a folder that others can change.
    case ofAnotherUser(String)
    /// Another operation that the system refused, with the path of the file or directory if it is known, and a reason.
    case cannotUse(String?, reason: String)
    /// A page with a trace that was not written, with the text of the error.
    case noTrace(String)
    /// A file that exists where a page is to be written, and that is no page.
    case notAPage(String)
    /// A token that is not text in UTF-8.
    case notText(String)
    /// Another file that is not text in UTF-8.
    case notUTF8(String)
    /// An input that is longer than any token.
    case tooLongForToken(String)
    /// A file that is longer than any software statement.
    case tooLongForStatement(String)
    /// A file that is not a key for media tokens.
    case notAKey(String, TokenKeyFault)
    /// A key that is short, which an option allows.
    case shortKey(String, TokenKeyFault)
    /// A file without a key for the sandbox's tokens.
    case noSigningKey(String, PrivateKeyFault)
    /// A file that is not a world for the sandbox.
    case notAWorld(String, SandboxWorldDocumentError)
    /// A sandbox whose state was not kept, with the text of the error.
    case stateNotKept(String)
    /// A file that is longer than any that the tool reads.
    case tooLong(String)
    /// A file that is not a recording.
    case notARecording(String, HTTPArchiveError)
    /// An export in UTF-16, as some shells write what a command prints.
    case exportInUTF16(String)
    /// A line that is not an entry of an export.
    case notAnEntry(line: Int)
    /// A key without an entry in the store.
    case noEntry(String)
    /// A directory without a store.
    case noStore(String)
    /// A sealed store whose key is missing at a path.
    case noSealingKey(String)
    /// The file with the statistics, which cannot be read for a reason.
    case statisticsUnreadable(reason: String)
    /// The file with the statistics, which the system did not delete for a reason.
    case statisticsNotDeleted(reason: String)
    /// The file with the statistics, which was not deleted because another run is writing it.
    case statisticsInUse

    /// Returns the fault of an input that cannot be read.
    ///
    /// - Parameters:
    ///   - file: the path of the file; `-` selects standard input.
    ///   - reason: the system's reason.
    static func unreadable(_ file: String, reason: String) -> FileFault {
        file == "-" ? .cannotReadInput(reason: reason) : .unreadable(name: file, reason: reason)
    }

    /// Returns the fault of a file that cannot be read, which does not repeat a secret in place of the name.
    static func unreadable(name: String, reason: String) -> FileFault {
        if name.isEmpty { return .emptyName }
        if GivenSecret.isGiven(asName: name) { return .secretAsName }
        let hasLineBreak = name.utf8.contains { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        if hasLineBreak { return .lineBreakInName }
        if existsForTilde(name) { return .tildeInName(name) }
        let isNeedless = name.hasBytePrefix("@") && !exists(name) && exists(withoutFirst(name))
        return isNeedless ? .needlessSign(name) : .cannotRead(name, reason: reason)
    }

    /// Returns the fault of a file that cannot be written.
    ///
    /// - Parameters:
    ///   - name: the path of the file.
    ///   - reason: the system's reason.
    static func unwritable(_ name: String, reason: String) -> FileFault {
        if name.isEmpty { return .emptyName }
        let end = name.utf8.lastIndex(of: UInt8(ascii: "/")) ?? name.startIndex
        return existsForTilde(String(decoding: name.utf8[..<end], as: UTF8.self) + "/")
            ? .tildeInName(name) : .cannotWrite(name, reason: reason)
    }

    /// Returns a Boolean value that indicates whether a path exists only with the home directory in place of its tilde.
    private static func existsForTilde(_ path: String) -> Bool {
        path.hasBytePrefix("~/") && !exists(path)
            && exists(FileManager.default.homeDirectoryForCurrentUser.path + withoutFirst(path))
    }

    private static func exists(_ path: String) -> Bool { SystemCall.status(of: path, followsLinks: true) != nil }

    private static func withoutFirst(_ text: String) -> String {
        String(decoding: text.utf8.dropFirst(), as: UTF8.self)
    }

    var sentences: (found: String, advice: String) {
        switch self {
        case .cannotRead(let path, let reason):
            return ("\(path) cannot be read: \(reason).", "Check its name and its permissions.")
        case .secretAsName:
            return (
                "The name of a file is expected, but the value looks like a key, a software statement or a token, and "
                    + "is not printed here.",
                "Save it in a file, and give the name of that file."
            )
        case .nameAsStatement(let name):
            return (
                "\(name) is the name of a file, and not a software statement.",
                "Write @ before the name to read the statement from the file."
            )
        case .lineBreakInName:
            return (
                "The name of a file has a line break.",
                "Remove it. A script with the line endings of Windows adds one to each line."
            )
        case .emptyName:
            return ("The name of a file is empty.", "Write the name in its place.")
        case .needlessSign(let name):
            return ("\(name) is not the name of a file.", "Leave the @ out, which only a software statement needs.")
        case .tildeInName(let name):
            return (
                "\(name) cannot be opened, because the shell has left the tilde as it is.",
                "Write the path of the home directory, or a blank in place of the equals sign before the name."
            )
        case .cannotReadInput(let reason):
            return ("Standard input cannot be read: \(reason).", "Send the bytes from a file or through a pipe.")
        case .exists(let path):
            return ("\(path) exists already, and is not replaced.", "Name another file, or remove this one.")
        case .cannotWrite(let path, let reason):
            return (
                "\(path) cannot be written: \(reason).",
                "Check that its folder exists, that you may write there, and that there is space."
            )
        case .ofAnotherUser(let path):
            return (
                "\(path) was not written, because another user has put it into a folder that others can change.",
                "Name a file in a folder of your own."
            )
        case .cannotUse(let path, let reason):
            return (
                "\(path ?? "A file or a folder") cannot be used: \(reason).",
                "Check that it exists, and its permissions."
            )
        case .noTrace(let text):
            return ("The trace was not written.", text)
        case .notAPage(let path):
            return ("\(path) exists, and is not a page.", "Choose a name that is free, or that of an earlier page.")
        case .notText(let name):
            return ("\(name) is not UTF-8 text.", "Give the text of a token, raw or in Base64.")
        case .notUTF8(let path):
            return ("\(path) is not UTF-8 text.", "Save it as UTF-8.")
        case .tooLongForToken(let name):
            return ("\(name) is too long for a token.", "Give the text of a single token.")
        case .tooLongForStatement(let path):
            return ("\(path) is too long for a software statement.", "Name a file that has only the statement in it.")
        case .notAKey(let path, let fault):
            return ("\(path) cannot be used as a key.", "\(fault)")
        case .shortKey(let path, let fault):
            return ("\(path) cannot be used as a key.", "\(fault) The option is --allow-1024.")
        case .noSigningKey(let path, let fault):
            return ("\(path) cannot be used to sign tokens.", "\(fault)")
        case .notAWorld(let path, let error):
            let reason = error.problems.count == 1 ? ": \(error.problems[0])" : ", for \(error.problems.count) reasons."
            return (
                "\(path) does not describe a world\(reason)",
                "Documentation/Sandbox.md describes the fields of a world."
            )
        case .stateNotKept(let text):
            return ("The state of the sandbox was not saved.", text)
        case .tooLong(let path):
            return (
                "\(path) has more than 1 GB.",
                "Check its name. If it is a recording, save only the exchanges with the service."
            )
        case .notARecording(let path, let error):
            return ("\(path) cannot be judged.", "\(error)")
        case .exportInUTF16(let path):
            return (
                "\(path) is text in UTF-16 instead of UTF-8; nothing was stored.",
                "Save it as UTF-8, and import it again."
            )
        case .notAnEntry(let line):
            return (
                "Line \(line) is not an entry; the lines before it are stored.",
                "Correct the line, and import the file again."
            )
        case .noEntry(let key):
            return ("There is no entry \(key).", "\"tve storage ls\" lists the keys.")
        case .noStore(let path):
            return ("There is no store at \(path).", "Name it with --directory or --app.")
        case .noSealingKey(let path):
            return (
                "There is no sealing key at \(path).",
                "Name it with --key-file; pass --unsealed if the store is not sealed."
            )
        case .statisticsUnreadable(let reason):
            return ("The statistics cannot be read: \(reason).", "Delete them with \"tve stats --reset\".")
        case .statisticsNotDeleted(let reason):
            return (
                "The statistics cannot be deleted: \(reason).", "Check the permissions of the store's directory."
            )
        case .statisticsInUse:
            return (
                "The statistics cannot be deleted: another run is writing them.", "Try again when it has ended."
            )
        }
    }
}
