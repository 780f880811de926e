import Foundation
import TVEModels
import TVETokenCodec

/// What libFuzzer calls with every input it makes up: the bytes go through every reader of the codec.
///
/// Traps, sanitizer reports and broken promises end the run. The promise checked here: a token that is accepted says the
/// same after it was written and read again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Data(UnsafeBufferPointer(start: start, count: count))
    let answers = ServiceAnswerReader()
    _ = try? answers.session(bytes)
    _ = try? answers.authorization(bytes)
    _ = try? answers.mediaToken(bytes)
    _ = try? answers.preauthorization(bytes)
    _ = try? ConfigurationReader().configuration(bytes)
    guard let text = String(validating: bytes, as: UTF8.self) else { return 0 }
    _ = try? Resource(text).channelID()
    let decoder = TokenDecoder()
    // A whole token as it is, and a body inside an envelope that is always good.
    for token in [text, "<signatureInfo>AAEC<signatureInfo>\(text)"] {
        if let claims = try? decoder.authenticationToken(token).claims {
            let again = try? decoder.authenticationToken(envelope(TokenWriter.body(claims))).claims
            precondition(again == claims)
        }
        if let claims = try? decoder.authorizationToken(token).claims {
            let again = try? decoder.authorizationToken(envelope(TokenWriter.body(claims))).claims
            precondition(again == claims)
        }
        if let claims = try? decoder.mediaToken(token).claims {
            let again = try? decoder.mediaToken(envelope(TokenWriter.body(claims))).claims
            precondition(again == claims)
        }
    }
    return 0
}

private func envelope(_ body: String) -> String { "<signatureInfo>AAEC<signatureInfo>\(body)" }
