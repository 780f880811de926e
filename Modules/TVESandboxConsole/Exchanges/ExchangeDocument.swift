import FlyingFox
import Foundation
import TVEModels
import TVESandbox

/// A document of many exchanges, made in pieces.
///
/// Of the whole document only one piece is in memory, and the next one is made when the reader has taken it: a file of
/// thousands of exchanges costs as little as one of a few, and between two pieces others are answered.
struct ExchangeDocument: Sendable, Sequence {
    /// The response header with the number of exchanges, from which a page computes its progress.
    static let countHeader = "X-Sandbox-Exchanges"
    /// How large a piece grows before it is sent.
    static let pieceBytes = 64 << 10

    let head: String
    let separator: String
    let tail: String
    let exchanges: [SandboxExchange]
    let entry: @Sendable (SandboxExchange) -> Data

    func makeIterator() -> Iterator { Iterator(document: self) }

    struct Iterator: IteratorProtocol, Sendable {
        let document: ExchangeDocument
        /// The place of the next exchange; nil after the last piece.
        private var following: Int? = 0

        fileprivate init(document: ExchangeDocument) {
            self.document = document
        }

        mutating func next() -> Data? {
            guard var place = following else { return nil }
            var piece = Data(place == 0 ? document.head.utf8 : "".utf8)
            // The head may be longer than a piece, and each piece has to come further.
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

    /// The document as an answer that is sent while it is made.
    ///
    /// - Parameters:
    ///   - type: the media type.
    ///   - name: the name of the file to save.
    func reply(type: String, savedAs name: String) async -> SandboxReply {
        var response = HTTPResponse.text("", type: type)
        response.headers[HTTPHeader("Content-Disposition")] = "attachment; filename=\"\(name)\""
        response.headers[HTTPHeader(Self.countHeader)] = "\(exchanges.count)"
        var reply = await SandboxReply(response.guarded)
        reply.manner = .pieces {
            let pieces = Guarded(makeIterator())
            return AsyncStream {
                // One thread serves others before the next piece.
                await Task.yield()
                return pieces.withLock { $0.next() }
            }
        }
        return reply
    }
}
