import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
@_spi(VerificationService) import TVEModels

/// A reader of request bodies, which may be too long, too slow or not JSON.
struct BodyReader: Sendable {
    /// The number of seconds within which the whole body must arrive.
    ///
    /// The limit is checked when a part arrives. The idle time-out of the server ends a body that has stalled.
    let seconds: Int

    /// Reads the document in the body of a request.
    ///
    /// - Parameters:
    ///   - type: the type of the document.
    ///   - request: the request.
    ///   - limit: the maximum length of the body, in bytes.
    ///   - scan: a fast parser for the usual form of the document. If it returns `nil`, the body is decoded.
    /// - Throws: the problem with which the request is answered.
    func read<Value: Decodable>(
        _ type: Value.Type, from request: Request, limit: Int, scan: (Span<UInt8>) -> Value? = { _ in nil }
    ) async throws(Problem) -> Value {
        guard Self.isJSON(request.headers[.contentType]) else { throw Problem.unsupportedMediaType }
        guard Self.isPlain(request.headers[.contentEncoding]) else { throw Problem.unsupportedContentEncoding }
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > limit {
            throw Problem.tooLarge(limit: limit)
        }
        let deadline = ContinuousClock.now.advanced(by: .seconds(seconds))
        var body = ByteBuffer()
        do {
            for try await var part in request.body {
                guard body.readableBytes + part.readableBytes <= limit else { throw Problem.tooLarge(limit: limit) }
                // Most bodies arrive in one part, which does not need to be copied.
                if body.readableBytes == 0 { body = part } else { body.writeBuffer(&part) }
                guard ContinuousClock.now < deadline else { throw Problem.tooSlow }
            }
        } catch let problem as Problem {
            throw problem
        } catch {
            // The connection broke, or its data was not valid HTTP.
            throw Problem.badRequest("The body did not arrive completely.")
        }
        guard body.readableBytes > 0 else { throw Problem.badRequest("The body is empty.") }
        if let value = scan(body.readableBytesUInt8Span) { return value }
        let bytes = Data(body.readableBytesView)
        let value: Value
        do throws(UntrustedJSONError) {
            value = try ServiceSupport.decode(type, from: bytes, maximumBytes: limit)
        } catch {
            throw Problem.badRequest(Self.sentence(error))
        }
        // The caller, or a proxy that checked the request, may have used the other value.
        guard !RepeatedNames.occur(in: bytes) else { throw Problem.badRequest("A field occurs twice.") }
        return value
    }

    private static func isJSON(_ type: String?) -> Bool {
        // Nearly all clients send this value. Parsing any other one takes as long as reading the body.
        if type == "application/json" { return true }
        guard let name = type?.split(separator: ";", omittingEmptySubsequences: false).first else { return false }
        return name.trimmingCharacters(in: .whitespaces).lowercased() == "application/json"
    }

    private static func isPlain(_ encoding: String?) -> Bool {
        // An element of the list may be empty (RFC 9110, 5.6.1).
        (encoding ?? "").utf8.split(separator: UInt8(ascii: ",")).allSatisfy { coding in
            let name = String(decoding: coding, as: UTF8.self).trimmingCharacters(in: .whitespaces)
            return name.isEmpty || name.lowercased() == "identity"
        }
    }

    /// Returns a sentence about an error, which repeats no part of the body except the name of an unknown field.
    private static func sentence(_ error: UntrustedJSONError) -> String {
        guard case .unreadable(let cause as DecodingError) = error else { return error.description }
        func place(_ path: [any CodingKey]) -> String {
            let known: Set = ["token", "resource", "requestor", "spend", "tokens"]
            let names = path.compactMap { key in
                key.intValue.map { "[\($0)]" } ?? (known.contains(key.stringValue) ? key.stringValue : nil)
            }
            return names.joined(separator: ".").replacingOccurrences(of: ".[", with: "[")
        }
        switch cause {
        case .keyNotFound(let key, let context):
            return "The field \(place(context.codingPath + [key])) is missing."
        case .typeMismatch(_, let context) where !context.codingPath.isEmpty,
            .valueNotFound(_, let context) where !context.codingPath.isEmpty:
            return "The field \(place(context.codingPath)) has the wrong type."
        case .dataCorrupted(let context)
        where context.debugDescription.hasPrefix(VerificationRequest.unknownField)
            || context.debugDescription == VerificationBatch.otherFields:
            return context.debugDescription
        default: return "The body is not JSON of the expected form."
        }
    }
}

/// A search for a name that occurs twice in one map of a JSON document.
///
/// Decoders silently use one of the two values.
struct RepeatedNames {
    /// The names found so far in each open map, from the outermost inwards; an open list has an empty set.
    private var open: [Set<Data>] = []
    private var isName = false

    /// Returns a Boolean value that indicates whether a name occurs twice in one map, even if its escapes differ.
    ///
    /// - Parameter bytes: a document that a decoder has accepted, so that its grammar is known to be correct.
    static func occur(in bytes: Data) -> Bool {
        var names = RepeatedNames()
        return names.occur(in: Array(bytes).span)
    }

    private mutating func occur(in bytes: Span<UInt8>) -> Bool {
        var place = 0
        var kinds: [UInt8] = []
        while place < bytes.count {
            let byte = bytes[place]
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                kinds.append(byte)
                open.append([])
                isName = byte == UInt8(ascii: "{")
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                _ = kinds.popLast()
                _ = open.popLast()
            case UInt8(ascii: ","): isName = kinds.last == UInt8(ascii: "{")
            case UInt8(ascii: "\""):
                let start = place
                place += 1
                while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
                    place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
                }
                guard isName else { break }
                isName = false
                let quoted = Data((start..<min(place + 1, bytes.count)).map { bytes[$0] })
                if !open.isEmpty, !open[open.count - 1].insert(Self.name(quoted)).inserted { return true }
            default: break
            }
            place += 1
        }
        return false
    }

    /// Returns the bytes of a name, without its quotes and escapes.
    private static func name(_ quoted: Data) -> Data {
        guard quoted.contains(UInt8(ascii: "\\")),
            let text = try? ServiceSupport.decode(String.self, from: quoted, maximumBytes: quoted.count)
        else {
            return quoted.dropFirst().dropLast()
        }
        return Data(text.utf8)
    }
}
