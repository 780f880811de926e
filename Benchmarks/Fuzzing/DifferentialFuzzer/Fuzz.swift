import Foundation
import TVEModels

// The switch and the tapes are not public. This target is built only for debugging, where testing is enabled.
@testable import TVETokenCodec

/// Parses an input that libFuzzer has generated with the scanner and with libxml2, which must give the same result.
///
/// The function compares the tapes byte for byte, or the errors, and the results of the public readers. A difference
/// ends the run.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    for document in [bytes[...], body(of: bytes)] {
        for policy in policies {
            let both = XMLTranscript.both(document, policy)
            precondition(both.scanner == both.library, "\(both.scanner) instead of \(both.library)")
        }
    }
    let answer = Data(bytes)
    let text = String(validating: bytes, as: UTF8.self)
    precondition(readings(of: answer, text, usesScanner: true) == readings(of: answer, text, usesScanner: false))
    return 0
}

/// The limits of the readers, and some that many inputs exceed.
private let policies = [
    XMLPolicy.token, .answer,
    XMLPolicy(maximumBytes: 512, maximumDepth: 3, maximumElements: 8, allowsComments: true, maximumAttributes: 2),
]

/// Returns the text after the envelope of a token, which are all bytes after the second marker.
private func body(of bytes: [UInt8]) -> ArraySlice<UInt8> {
    let marker = Array("signatureInfo>".utf8)
    guard bytes.starts(with: Array("<signatureInfo>".utf8)),
        let second = bytes.indices.dropFirst(marker.count + 1).first(where: { bytes[$0...].starts(with: marker) })
    else { return [] }
    return bytes[(second + marker.count)...]
}

/// Returns the results of every public reader as text, which contains no real secrets.
private func readings(of bytes: Data, _ text: String?, usesScanner: Bool) -> [String] {
    var token = XMLPolicy.token
    var answer = XMLPolicy.answer
    token.usesScanner = usesScanner
    answer.usesScanner = usesScanner
    let answers = ServiceAnswerReader(policy: answer)
    var readings = [
        reading { () throws(TokenCodecError) in try ConfigurationReader(policy: answer).configuration(bytes) },
        reading { () throws(TokenCodecError) in try answers.session(bytes) },
        reading { () throws(TokenCodecError) in try answers.authorization(bytes) },
        reading { () throws(TokenCodecError) in try answers.preauthorization(bytes) },
    ]
    guard let text else { return readings }
    let decoder = TokenDecoder(policy: token)
    // The input is tried as a whole token, and as a body inside an envelope that is always valid.
    for token in [text, "<signatureInfo>AAEC<signatureInfo>\(text)"] {
        readings += [
            reading { () throws(TokenCodecError) in try decoder.authenticationToken(token).claims },
            reading { () throws(TokenCodecError) in try decoder.authorizationToken(token).claims },
            reading { () throws(TokenCodecError) in try decoder.mediaToken(token).claims },
        ]
    }
    return readings
}

/// Returns a text that identifies a value with all its content, or the error.
///
/// Claims do not print their values, so the text contains their hash, which is the same for equal values in one
/// process.
private func reading<Value: Hashable>(_ read: () throws(TokenCodecError) -> Value) -> String {
    do throws(TokenCodecError) {
        let value = try read()
        return "\(type(of: value)) \(value.hashValue)"
    } catch {
        return "\(error)"
    }
}
