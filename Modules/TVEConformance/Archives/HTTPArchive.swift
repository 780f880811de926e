public import Foundation
import TVEModels

/// A recording in the HTTP Archive format (HAR 1.2), which browsers and proxies write.
///
/// Entries are read one at a time, so a long recording needs little memory. Bodies of other services than the one that
/// is judged are dropped.
public struct HTTPArchive: Sendable {
    /// The exchanges in the order of the file, counted from 1.
    public let exchanges: [Exchange]
    /// How many entries were left out because each is longer than 16 MB, which no answer of the service is.
    public let leftOut: Int

    /// Most entries of a recording.
    static let maximumCount = 500_000
    private static let entryLimit = UntrustedJSON.Limits(bytes: 16 << 20, nameBytes: 4_096)

    /// Reads a recording.
    ///
    /// - Parameter bytes: the file.
    /// - Throws: ``HTTPArchiveError``; a recording that is cut or damaged is refused as a whole, because a report about
    ///   a part would say that rows are kept that the rest may break.
    public init(_ bytes: Data) throws(HTTPArchiveError) {
        // A slice has other indices.
        let bytes = bytes.startIndex == 0 ? bytes : Data(Array(bytes))
        var exchanges: [Exchange] = []
        var leftOut = 0
        var scan = try EntryScan(bytes)
        while let range = try scan.next() {
            guard range.count <= Self.entryLimit.bytes else {
                leftOut += 1
                continue
            }
            guard exchanges.count < Self.maximumCount else { throw .tooManyEntries(Self.maximumCount) }
            let number = exchanges.count + leftOut + 1
            let entry: Entry
            do throws(UntrustedJSONError) {
                entry = try UntrustedJSON.decode(Entry.self, from: bytes.subdata(in: range), Self.entryLimit)
            } catch {
                throw .damagedEntry(number)
            }
            guard let exchange = entry.exchange(number) else { throw .damagedEntry(number) }
            exchanges.append(exchange)
        }
        self.exchanges = exchanges
        self.leftOut = leftOut
    }

    /// The part of an entry that counts.
    fileprivate struct Entry: Decodable {
        struct Field: Decodable {
            let name: String
            let value: String
        }

        struct Content: Decodable {
            var text: String?
            var encoding: String?
            var size: Double?
            var params: [Parameter]?
        }

        struct Parameter: Decodable {
            let name: String
            var value: String?
        }

        struct Request: Decodable {
            let method: String
            let url: String
            let headers: [Field]
            var postData: Content?
            var bodySize: Double?
        }

        struct Response: Decodable {
            let status: Double
            let headers: [Field]
            var content: Content?
            var redirectURL: String?
        }

        let startedDateTime: String
        var time: Double?
        let request: Request
        let response: Response

        /// Nil without a time or a URL.
        func exchange(_ number: Int) -> Exchange? {
            guard let began = Self.date(startedDateTime) else { return nil }
            let parts = request.url.divided(at: "#").before.parts(separatedBy: "/", most: 3)
            guard parts.count >= 3, parts[1].isEmpty else { return nil }
            let (path, query) = (parts.count > 3 ? "/\(parts[3])" : "/").divided(at: "?")
            var question = request.headers.map { ($0.name, $0.value) }
            question.append(("host", String(parts[2])))
            var answer = response.headers.map { ($0.name, $0.value) }
            if let redirect = response.redirectURL, !redirect.isEmpty { answer.append(("location", redirect)) }
            let isTheirs = ["/api/v2/", "/o/client/", "/activate"].contains { path.hasBytePrefix($0) }
            if !isTheirs {
                question.removeAll { !["host", "user-agent", "ap-device-identifier"].contains($0.0.lowercasedASCII) }
                answer.removeAll { !$0.0.isSameBytesIgnoringASCIICase(as: "location") }
            }
            return Exchange(
                id: number, began: began, milliseconds: max(0, time ?? 0), method: request.method, path: String(path),
                query: String(query ?? ""),
                request: .init(headers: question, body: isTheirs ? sent : Data()),
                status: Int(bounded: response.status),
                answer: .init(headers: answer, body: isTheirs ? received : Data()))
        }

        private static func date(_ text: String) -> Date? {
            let style = Date.ISO8601FormatStyle()
            return (try? Date(text, strategy: style.time(includingFractionalSeconds: true)))
                ?? (try? Date(text, strategy: style))
        }

        private var sent: Data? {
            guard let content = request.postData else { return request.bodySize ?? 0 > 0 ? nil : Data() }
            if let bytes = content.bytes, !bytes.isEmpty { return bytes }
            guard let fields = content.params, !fields.isEmpty else { return request.bodySize ?? 0 > 0 ? nil : Data() }
            let allowed = CharacterSet.alphanumerics
            let pairs = fields.map { field in
                [field.name, field.value ?? ""].map { $0.addingPercentEncoding(withAllowedCharacters: allowed) ?? "" }
                    .joined(separator: "=")
            }
            return Data(pairs.joined(separator: "&").utf8)
        }

        private var received: Data? {
            guard let content = response.content else { return nil }
            return content.text == nil ? content.size == 0 ? Data() : nil : content.bytes
        }
    }
}

extension HTTPArchive.Entry.Content {
    /// Nil for a text that is missing or not what its encoding says.
    fileprivate var bytes: Data? {
        guard let text else { return nil }
        guard let encoding, !encoding.isEmpty else { return Data(text.utf8) }
        return encoding.isSameBytesIgnoringASCIICase(as: "base64") ? Data(base64Encoded: text) : nil
    }
}
