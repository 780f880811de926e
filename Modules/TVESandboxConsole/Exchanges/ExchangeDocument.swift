import FlyingFox
import Foundation
import TVEModels
import TVESandbox

/// A document with many exchanges, which is generated in pieces.
///
/// Only one piece of the document is in memory at a time, and the next one is generated when the reader has taken it.
/// Therefore a file of thousands of exchanges needs no more memory than one of a few, and the sandbox answers other
/// requests between two pieces.
struct ExchangeDocument: Sendable, Sequence {
    /// The response header with the number of exchanges, from which a page computes the progress of an export.
    static let countHeader = "X-Sandbox-Exchanges"
    /// The size in bytes at which a piece is complete and is sent.
    static let pieceBytes = 64 << 10

    let head: String
    let separator: String
    let tail: String
    let exchanges: [SandboxExchange]
    let entry: @Sendable (SandboxExchange) -> Data

    func makeIterator() -> Iterator { Iterator(document: self) }

    struct Iterator: IteratorProtocol, Sendable {
        let document: ExchangeDocument
        /// The index of the next exchange, or `nil` after the last piece.
        private var following: Int? = 0

        fileprivate init(document: ExchangeDocument) {
            self.document = document
        }

        mutating func next() -> Data? {
            guard var place = following else { return nil }
            var piece = Data(place == 0 ? document.head.utf8 : "".utf8)
            // The limit excludes the head, which may be longer than a piece, so that every piece makes progress.
            let limit = piece.count + ExchangeDocument.pieceBytes
            while place < document.exchanges.count, piece.count < limit {
                if place > 0 { piece.append(contentsOf: document.separator.utf8) }
                piece.append(document.entry(document.exchanges[place]))
                place += 1
            }
            let isLast = place == document.exchanges.count
            if isLast { piece.append(contentsOf: document.tail.utf8) }
            following = isLast ? nil : place
            return piece
        }
    }

    /// Returns the document as an answer that is sent in pieces while it is being generated.
    ///
    /// - Parameters:
    ///   - type: the media type of the document.
    ///   - name: the name under which a browser saves the file.
    func reply(type: String, savedAs name: String) async -> SandboxReply {
        var response = HTTPResponse.text("", type: type)
        response.headers[HTTPHeader("Content-Disposition")] = "attachment; filename=\"\(name)\""
        response.headers[HTTPHeader(Self.countHeader)] = "\(exchanges.count)"
        var reply = await SandboxReply(response.guarded)
        reply.delivery = .pieces {
            let pieces = Guarded(makeIterator())
            return AsyncStream {
                // Let the server answer other requests before the next piece.
                await Task.yield()
                return pieces.withLock { $0.next() }
            }
        }
        return reply
    }
}
