import Foundation
import TVEModels

/// A search for the requests that merged recordings have twice, for example one of a browser and one of a proxy.
///
/// Such a copy overlaps the request in time and has the same response. A client that sends the same request twice at
/// the same moment cannot be distinguished from two recordings of one request. Only one of the two is judged, because a
/// client must not fail a row for a request that it may not have sent.
enum RecordedTwice {
    /// The parts of an exchange that every recorder writes.
    private struct Key: Hashable {
        let line: ExactText
        let request: Data?
        let answer: Data?

        init(_ exchange: Exchange) {
            line = ExactText("\(exchange.method) \(exchange.path)?\(exchange.query) \(exchange.status)")
            request = exchange.request.body
            answer = exchange.answer.body
        }
    }

    /// The headers that tell the clients of a service apart.
    private static let identity = [
        "host", "authorization", "ap-device-identifier", "x-device-info", "x-forwarded-for", "ad-service-token",
        "x-sso-id", "x-sso-link",
    ]

    /// The maximum number of clients that send the same request at a time, so that a search takes no longer for more.
    private static let most = 16

    /// Returns the numbers of the exchanges that are copies of others.
    ///
    /// An exchange has one copy at most. Of two exchanges, the copy is the one with fewer headers, or the later one.
    static func copies(in exchanges: [Exchange]) -> Set<Int> {
        var open: [Key: [Exchange]] = [:]
        var copies: Set<Int> = []
        // Nothing shows that two requests without a response are the same.
        for exchange in exchanges.sorted(by: { ($0.began, $0.id) < ($1.began, $1.id) }) where exchange.status > 0 {
            let key = Key(exchange)
            var earlier = open.removeValue(forKey: key) ?? []
            earlier.removeAll { $0.began.addingTimeInterval($0.milliseconds / 1_000) < exchange.began }
            if let place = earlier.firstIndex(where: { isSameClient($0, exchange) }) {
                let other = earlier.remove(at: place)
                copies.insert(other.request.headers.count < exchange.request.headers.count ? other.id : exchange.id)
            } else {
                earlier.append(exchange)
            }
            open[key] = Array(earlier.suffix(most))
        }
        return copies
    }

    /// Returns a Boolean value that indicates whether the headers that both exchanges have may be of one client.
    private static func isSameClient(_ first: Exchange, _ second: Exchange) -> Bool {
        identity.allSatisfy { name in
            guard let one = first.request.header(name), let other = second.request.header(name) else { return true }
            return one.isSameBytes(as: other)
        }
    }
}
