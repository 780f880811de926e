/// An error that prevented reading a recording.
public enum HTTPArchiveError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The file is empty.
    case empty
    /// The file is compressed: gzip, zip, zstd, bzip2 or xz.
    case compressed
    /// The file is text in UTF-16, as some shells write it.
    case utf16
    /// The file is not JSON, or has no list `log.entries`.
    case notAnArchive
    /// The file ends before the list of entries does.
    case cut
    /// The file has more entries than the limit.
    case tooManyEntries(Int)

    /// A sentence about what was found, and one about what to do; without any part of the file.
    public var description: String {
        switch self {
        case .empty: "The recording is empty. Record again, and save all requests."
        case .compressed: "The recording is compressed. Unpack it first."
        case .utf16: "The recording is in UTF-16. Save it in UTF-8."
        case .notAnArchive:
            "The recording is not in the HTTP Archive format, which is JSON in UTF-8 with a list log.entries. "
                + "Save it as HAR in the browser or the proxy."
        case .cut: "The recording is incomplete: it ends in the middle of an entry. Save it again."
        case .tooManyEntries(let limit):
            "The recording has more than \(limit) entries. Save only those of the service's host."
        }
    }
}
