import Foundation
import TVESandbox

/// Reads a world from a file, and says in one sentence what is wrong with it.
enum WorldFile {
    /// Why a file is no world.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    static func read(_ path: String) throws -> SandboxWorld {
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw Failure(description: "\(path) cannot be read.")
        }
        do {
            return try JSONDecoder().decode(SandboxWorld.self, from: bytes)
        } catch let error as DecodingError {
            throw Failure(description: "\(path) is no world: \(reason(error))")
        }
    }

    private static func reason(_ error: DecodingError) -> String {
        switch error {
        case .keyNotFound(let key, let context): "\(place(context, key)) is missing."
        case .typeMismatch(_, let context), .valueNotFound(_, let context): "\(place(context)) has the wrong type."
        case .dataCorrupted(let context) where context.codingPath.isEmpty: "it is not JSON."
        case .dataCorrupted(let context): "\(place(context)) has a value that is not known."
        @unknown default: "\(error)"
        }
    }

    /// The path to a value, for example `providers[0].login`.
    private static func place(_ context: DecodingError.Context, _ key: (any CodingKey)? = nil) -> String {
        (context.codingPath + [key].compactMap(\.self)).reduce("") { path, key in
            key.intValue.map { "\(path)[\($0)]" } ?? (path.isEmpty ? key.stringValue : "\(path).\(key.stringValue)")
        }
    }
}
