import ArgumentParser
import Foundation
import TVENetworking

/// The failure of a command, described in one line, or in one for each of several reasons.
struct ToolFailure: Error, CustomStringConvertible {
    private(set) var description: String
    var code = ExitCode.failure

    init(_ description: String, code: ExitCode = .failure) {
        self.description = Printer.clean(description)
        self.code = code
    }

    /// Creates the failure of a command that found a fault with several reasons, each of which stands on a line of its
    /// own.
    ///
    /// The text of a fault contains a single reason itself.
    init(_ fault: FileFault, listing reasons: [String]) {
        self.init(fault)
        if reasons.count > 1 { description += reasons.map { "\n  \(Printer.clean($0))" }.joined() }
    }

    init(_ error: any Error) {
        let path = (error as NSError).userInfo[NSFilePathErrorKey] as? String
        self.init(error.isOfSystem ? FileFault.cannotUse(path, reason: error.reasonForPeople).description : "\(error)")
    }
}

extension ExitCode {
    /// The exit code for an answer that could not be found or written.
    static let unknown = ExitCode(2)
}

extension Error {
    /// A Boolean value that indicates whether the error is one of the operating system or of its library.
    var isOfSystem: Bool { type(of: self) is NSError.Type || self is CocoaError || self is POSIXError }

    /// The reason of the error, without names that only a programmer knows.
    var reasonForPeople: String {
        if let error = self as? POSIXError { return systemText(Int32(error.code.rawValue)) }
        let error = self as NSError
        let cause = error.userInfo[NSUnderlyingErrorKey]
        // On Linux, these two are different types.
        if let cause = cause as? POSIXError { return cause.reasonForPeople }
        if let cause = cause as? NSError { return cause.reasonForPeople }
        if error.domain == NSPOSIXErrorDomain { return systemText(Int32(error.code)) }
        return switch CocoaError.Code(rawValue: error.code) {
        case .fileNoSuchFile, .fileReadNoSuchFile: systemText(ENOENT)
        case .fileReadNoPermission, .fileWriteNoPermission: systemText(EACCES)
        case .fileWriteOutOfSpace: systemText(ENOSPC)
        case .fileWriteVolumeReadOnly: systemText(EROFS)
        case .fileWriteFileExists: systemText(EEXIST)
        case .fileReadInapplicableStringEncoding: "it is not UTF-8 text"
        default: "the system gives no reason"
        }
    }
}

extension TransportError {
    /// Returns the sentence that names the address of a request and the reason for which there is no answer.
    func finding(at base: String) -> String {
        let failure =
            switch self {
            case .notTrusted, .certificateNotTrusted: "cannot be reached securely"
            case .answerTooLarge, .invalid: "gives no usable answer"
            case .unreachable, .unknownHost, .proxyFailed, .timedOut, .cancelled, .other: "does not answer"
            }
        return "\(base) \(failure): \(reason)."
    }

    /// The reason, as a text for people, for which there is no answer.
    var reason: String {
        switch self {
        case .unreachable: "the connection was refused or cut, or there is no network"
        case .unknownHost: "the name of the host is unknown"
        case .proxyFailed:
            "the address of a proxy is malformed or its host unknown, or the proxy refused the request"
        case .timedOut: "there was no complete answer in time"
        case .notTrusted: "its certificate or its TLS connection cannot be trusted"
        case .certificateNotTrusted(.unknownAuthority):
            "no authority that this machine trusts has signed its certificate"
        case .certificateNotTrusted(.wrongName): "its certificate is for another host"
        case .certificateNotTrusted(.expired): "its certificate has expired"
        case .certificateNotTrusted(.notYetValid): "its certificate is not valid yet"
        case .answerTooLarge(let limit): "the answer is longer than \(limit) bytes"
        case .invalid:
            "the request could not be sent, or the answer is not valid HTTP, or it is compressed although the request "
                + "did not allow that"
        case .cancelled: "the request was cancelled"
        case .other(let code): "the connection failed (error \(code))"
        }
    }
}
