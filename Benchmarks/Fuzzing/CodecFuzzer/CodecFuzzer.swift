import Foundation
import TVEModels
import TVETokenCodec

/// Passes an input that libFuzzer has generated to every reader of the codec.
///
/// Traps, sanitizer reports and violations end the run. The function checks that an accepted token has the same values
/// after it was written and parsed again.
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
    // The input is tried as a whole token, and as a body inside an envelope that is always valid.
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
