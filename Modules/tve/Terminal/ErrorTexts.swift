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
        let isSystems = type(of: error) is NSError.Type || error is CocoaError || error is POSIXError
        self.init(isSystems ? FileFault.cannotUse(reason: error.reasonForPeople).description : "\(error)")
    }
}

extension ExitCode {
    /// The exit code for an answer that could not be found or written.
    static let unknown = ExitCode(2)
}

extension Error {
    /// The reason of the error, without names that only a programmer knows.
    var reasonForPeople: String {
        var error = self as NSError
        while let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError { error = cause }
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
    /// The reason, as a text for people, for which there is no answer.
    var reason: String {
        switch self {
        case .unreachable: "the connection was refused or cut, or there is no network"
        case .unknownHost: "the name of the host is unknown"
        case .proxyFailed: "a proxy is unknown or does not let the request pass"
        case .timedOut: "no complete answer in time"
        case .notTrusted: "its certificate or its TLS connection cannot be trusted"
        case .certificateNotTrusted(.unknownAuthority):
            "no authority that this machine trusts has signed its certificate"
        case .certificateNotTrusted(.wrongName): "its certificate is for another host"
        case .certificateNotTrusted(.expired): "its certificate has expired"
        case .certificateNotTrusted(.notYetValid): "its certificate is not valid yet"
        case .answerTooLarge(let limit): "the answer is longer than \(limit) bytes"
        case .invalid:
            "the request cannot be sent, or its answer is not valid HTTP or is compressed although the request asked "
                + "for none"
        case .cancelled: "cancelled"
        case .other(let code): "the connection failed (error \(code))"
        }
    }
}
