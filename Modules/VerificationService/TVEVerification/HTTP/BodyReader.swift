import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
@_spi(VerificationService) import TVEModels

/// Reads the body of a request, which may be too long, too slow or not JSON.
struct BodyReader: Sendable {
    /// Seconds for the whole body.
    ///
    /// The server's idle time-out ends a body that has stalled.
    let seconds: Int

    /// Reads a document of at most `limit` bytes.
    ///
    /// - Parameter scan: parses the usual form; when it returns nil, the body is decoded.
    func read<Value: Decodable>(
        _ type: Value.Type, from request: Request, limit: Int, scan: (Span<UInt8>) -> Value? = { _ in nil }
    ) async throws(Problem) -> Value {
        guard Self.isJSON(request.headers[.contentType]) else { throw Problem.unsupportedMediaType }
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > limit {
            throw Problem.tooLarge(limit: limit)
        }
        let deadline = ContinuousClock.now.advanced(by: .seconds(seconds))
        var body = ByteBuffer()
        do {
            for try await var part in request.body {
                guard body.readableBytes + part.readableBytes <= limit else { throw Problem.tooLarge(limit: limit) }
                // Most bodies come in one part, which need not be copied.
                if body.readableBytes == 0 { body = part } else { body.writeBuffer(&part) }
                guard ContinuousClock.now < deadline else { throw Problem.tooSlow }
            }
        } catch let problem as Problem {
            throw problem
        } catch {
            // The connection broke, or its data was not HTTP.
            throw Problem.badRequest("The body did not arrive completely.")
        }
        if let value = scan(body.readableBytesUInt8Span) { return value }
        let bytes = Data(body.readableBytesView)
        let value: Value
        do throws(UntrustedJSONError) {
            value = try ServiceSupport.decode(type, from: bytes, maximumBytes: limit)
        } catch {
            throw Problem.badRequest(Self.sentence(error))
        }
        // The caller, or a proxy that checked the question, may have meant the other value.
        guard !RepeatedNames.occur(in: bytes) else { throw Problem.badRequest("A field occurs twice.") }
        return value
    }

    private static func isJSON(_ type: String?) -> Bool {
        // What nearly all clients send; the rest takes as long as reading the body.
        if type == "application/json" { return true }
        guard let name = type?.split(separator: ";", omittingEmptySubsequences: false).first else { return false }
        return name.trimmingCharacters(in: .whitespaces).lowercased() == "application/json"
    }

    /// The error as a sentence that contains only our own field names.
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
        where context.debugDescription.hasPrefix(VerificationRequest.unknownField):
            return context.debugDescription
        default: return "The body is not JSON of the expected form."
        }
    }
}

/// Finds a name that occurs twice in one map of a JSON document, of which decoders take one value and say nothing.
struct RepeatedNames {
    /// The names so far in each map that is open, from the outermost in; a list has none.
    private var open: [Set<Data>] = []
    private var isName = false

    /// Whether there is one, however it is escaped.
    ///
    /// - Parameter bytes: a document that a decoder has accepted, so that its grammar is known to be right.
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

    /// The bytes of a name, without its quotes and escapes.
    private static func name(_ quoted: Data) -> Data {
        guard quoted.contains(UInt8(ascii: "\\")),
            let text = try? ServiceSupport.decode(String.self, from: quoted, maximumBytes: quoted.count)
        else {
            return quoted.dropFirst().dropLast()
        }
        return Data(text.utf8)
    }
}
