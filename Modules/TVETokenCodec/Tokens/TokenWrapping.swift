import Foundation
import TVEModels

/// A token's wrapping, which is everything that files, shells, forms and encoders put around a token.
///
/// The wrapping is never a part of the signed text, so a token is the same one, with the same digest, in every
/// wrapping. One that cannot be removed without a guess causes an error that names it.
enum TokenWrapping {
    /// Returns the text of a token, from its first marker to the end of its element.
    ///
    /// White space and a byte order mark around the token are removed. Base64 is decoded in both alphabets, with or
    /// without padding, and with white space inside.
    ///
    /// - Throws: `.empty`, `.envelope` with the fault, or `.invalidUTF8` if the decoded bytes are not UTF-8.
    static func removed(from text: String) throws(TokenCodecError) -> String {
        // Services send tokens in this form, in which only the Base64 has to be removed.
        if text.utf8.first != UInt8(ascii: "<"), let decoded = Data(base64Encoded: text),
            // A span is read in place, and not by way of the protocol of collections.
            let plain = decoded.withSpan({ rawToken($0) })
        {
            return plain
        }
        let bytes = Array(text.utf8)
        let outside = trimmed(bytes[...])
        // The body begins after the markers. The envelope describes the fault of a raw token.
        guard let first = outside.first else { throw .empty }
        if first == UInt8(ascii: "<") { return try string(outside) }
        if let fault = fault(ofStart: outside) { throw .envelope(fault) }
        // An element is not Base64, so most broken tokens need not be decoded to detect that.
        guard !has("<", in: outside), let decoded = base64(outside) else {
            if outside.starts(with: wrappedStart) { throw .envelope(.wrappingNotBase64) }
            throw .envelope(outside.withSpan(faultWithoutStart))
        }
        let inside = trimmed(decoded[...])
        if inside.starts(with: rawStart) {
            guard String(validUTF8: decoded) != nil else {
                throw .invalidUTF8(offset: Data(decoded).withSpan(UTF8Check.firstInvalidOffset) ?? 0)
            }
            return try string(inside)
        }
        if inside.starts(with: wrappedStart) { throw .envelope(.wrappedTwice) }
        throw .envelope(fault(ofStart: inside) ?? inside.withSpan(faultWithoutStart))
    }

    /// Returns the fault of a text that does not begin with a token: it has none, or has it further on.
    static func faultWithoutStart(_ text: Span<UInt8>) -> TokenCodecError.EnvelopeFault {
        for place in text.indices {
            if text.has("PHNpZ25hdHVyZUluZm8", at: place) { return .textBefore }
            guard text.has(TokenEnvelope.marker, at: place) else { continue }
            // The second marker of a token that has lost its beginning looks like the first one, but no other follows.
            let next = text.firstIndex(of: UInt8(ascii: "<"), from: place + TokenEnvelope.marker.utf8CodeUnitCount)
            guard let next else { return .textBefore }
            let isFirst = text.has(TokenEnvelope.marker, at: next) || text.has(TokenEnvelope.closingMarker, at: next)
            return isFirst ? .textBefore : .missing
        }
        return .missing
    }

    /// Returns decoded bytes as a text if nothing surrounds the token in them, or nil.
    private static func rawToken(_ bytes: Span<UInt8>) -> String? {
        guard bytes.has("<signatureInfo>", at: 0), bytes[bytes.count - 1] == UInt8(ascii: ">"),
            UTF8Check.firstInvalidOffset(in: bytes) == nil
        else { return nil }
        return String(decoding: bytes)
    }

    /// Returns the reason for which a signature is not Base64.
    static func fault(ofSignature bytes: Span<UInt8>) -> TokenCodecError.EnvelopeFault {
        var hasPlus = false
        var hasSpace = false
        var hasPercent = false
        var hasAmpersand = false
        var hasBackslash = false
        for index in bytes.indices {
            switch bytes[index] {
            case UInt8(ascii: "+"): hasPlus = true
            case UInt8(ascii: " "): hasSpace = true
            case UInt8(ascii: "%"): hasPercent = true
            case UInt8(ascii: "&"): hasAmpersand = true
            case UInt8(ascii: "\\"): hasBackslash = true
            default: break
            }
        }
        if hasPercent { return .percentEscaped }
        if hasAmpersand { return .htmlEscaped }
        if hasBackslash { return .json }
        return hasSpace && !hasPlus ? .plusIsSpace : .signatureNotBase64
    }

    /// Returns a signature without its line ends and other white space.
    ///
    /// The function returns nil if there is no white space, or if spaces may have replaced plus signs.
    static func withoutWhiteSpace(_ signature: Span<UInt8>) -> [UInt8]? {
        var rest: [UInt8] = []
        rest.reserveCapacity(signature.count)
        for index in signature.indices where !isWhiteSpace(signature[index]) { rest.append(signature[index]) }
        guard rest.count < signature.count, fault(ofSignature: signature) == .signatureNotBase64 else { return nil }
        return rest
    }

    private static let rawStart = Array("<signatureInfo>".utf8)
    /// The first characters of every token in Base64, up to the one that differs between the alphabets.
    private static let wrappedStart = Array("PHNpZ25hdHVyZUluZm8".utf8)
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private static func isWhiteSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    private static func string(_ bytes: ArraySlice<UInt8>) throws(TokenCodecError) -> String {
        guard let text = String(validUTF8: bytes) else {
            throw .invalidUTF8(offset: Data(bytes).withSpan(UTF8Check.firstInvalidOffset) ?? 0)
        }
        return text
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var rest = bytes.drop(while: isWhiteSpace)
        if rest.starts(with: byteOrderMark) { rest = rest.dropFirst(byteOrderMark.count).drop(while: isWhiteSpace) }
        while let last = rest.last, isWhiteSpace(last) { rest.removeLast() }
        return rest
    }

    private static func has(_ sign: Unicode.Scalar, in text: ArraySlice<UInt8>) -> Bool {
        text.withSpan { $0.firstIndex(of: UInt8(ascii: sign)) } != nil
    }

    /// Returns a Boolean value that indicates whether a text has a percent sign with two hexadecimal digits after it.
    ///
    /// Some shells write a percent sign alone after a text without a line end.
    private static func hasPercentEscape(in text: ArraySlice<UInt8>) -> Bool {
        text.indices.contains { place in
            text[place] == UInt8(ascii: "%")
                && text[(place + 1)...].prefix(2).count { Unicode.Scalar($0).properties.isASCIIHexDigit } == 2
        }
    }

    /// Decodes Base64 as lenient decoders do, and returns nil if the text is not Base64.
    private static func base64(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        var characters: [UInt8] = []
        characters.reserveCapacity(text.count + 3)
        for byte in text where !isWhiteSpace(byte) {
            switch byte {
            case UInt8(ascii: "-"): characters.append(UInt8(ascii: "+"))
            case UInt8(ascii: "_"): characters.append(UInt8(ascii: "/"))
            default: characters.append(byte)
            }
        }
        var padding = 0
        while characters.last == UInt8(ascii: "="), padding < 2 {
            characters.removeLast()
            padding += 1
        }
        guard characters.count % 4 != 1 else { return nil }
        characters += Array(repeating: UInt8(ascii: "="), count: (4 - characters.count % 4) % 4)
        return Data(base64Encoded: Data(characters)).map { Array($0) }
    }

    /// Returns the fault of a wrapping that is recognized but not removed, or nil for any other text.
    private static func fault(ofStart text: ArraySlice<UInt8>) -> TokenCodecError.EnvelopeFault? {
        guard let first = text.first else { return nil }
        let start = String(decoding: text.prefix(16), as: UTF8.self).lowercased()
        if start.beginsWithQuotationMark { return .quoted }
        let isBearer = start.hasBytePrefix("bearer ")
        // The three parts of a JSON Web Token have a point between them, and the first one is a JSON object in Base64.
        if start.hasBytePrefix(isBearer ? "bearer eyj" : "eyj"), has(".", in: text) { return .jsonWebToken }
        if isBearer { return .bearer }
        switch first {
        case UInt8(ascii: "\\"): return .json
        // A description of an object, such as `[object Object]`, has no quotation marks.
        case UInt8(ascii: "{"), UInt8(ascii: "["): return has("\"", in: text) || has("'", in: text) ? .json : nil
        case UInt8(ascii: "&"):
            return ["&lt;", "&#60;", "&#x3c;", "&amp;"].contains { start.hasBytePrefix($0) } ? .htmlEscaped : nil
        case UInt8(ascii: "%"):
            return ["%3c", "%253c", "%50", "%22"].contains { start.hasBytePrefix($0) } ? .percentEscaped : nil
        default: break
        }
        guard text.starts(with: wrappedStart) else { return nil }
        // In Base64, the twentieth character of every token is a plus sign, or the minus sign of the other alphabet.
        let next = text.dropFirst(wrappedStart.count).first
        if next == UInt8(ascii: " ") { return .plusIsSpace }
        if hasPercentEscape(in: text) { return .percentEscaped }
        if has("&", in: text) { return .htmlEscaped }
        return has("\\", in: text) ? .json : nil
    }
}
