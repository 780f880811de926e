import Foundation
import TVEModels
import TVENetworking

/// The file with the pace of the requests of all runs that use a store, in the directory of the store.
///
/// Each run is a process of its own, but a service counts the requests of the device. The file is best effort: without
/// it, a run begins with a burst of its own.
struct PaceFile {
    private let directory: URL
    private var path: String { directory.appendingPathComponent("pace.json").path }

    /// The largest file that is read, in bytes.
    private static let maximumBytes = 1 << 10

    init(directory: URL) {
        self.directory = directory
    }

    /// The functions with which a session reads and writes the file.
    var keeper: PaceKeeper { PaceKeeper(load: { read() }, save: { write($0) }) }

    /// Returns the stored pace, or `nil` if there is no such file or something else is in its place.
    private func read() -> PaceKeeper.Pace? {
        guard let bytes = try? open(O_RDONLY)?.read(upToCount: Self.maximumBytes + 1) else { return nil }
        let limits = UntrustedJSON.Limits(bytes: Self.maximumBytes)
        return try? UntrustedJSON.decode(PaceKeeper.Pace.self, from: bytes, limits)
    }

    /// Writes the pace into the file, if there is a store beside it.
    ///
    /// A directory that is not that of a store is not changed. The file is written in place, because a run that ends at
    /// this moment would leave a temporary one behind. Half a file is ignored by the next run.
    private func write(_ pace: PaceKeeper.Pace) {
        let store = directory.appendingPathComponent("entitlements.store").path
        guard SystemCall.status(of: store, followsLinks: false) != nil,
            let bytes = try? JSONEncoder().encode(pace), let file = open(O_WRONLY | O_CREAT)
        else { return }
        try? file.write(contentsOf: bytes)
        try? file.truncate(atOffset: UInt64(bytes.count))
    }

    /// Opens the file, without a wait for the other end of a pipe, or returns `nil` if something else is in its place.
    private func open(_ flags: Int32) -> FileHandle? {
        let descriptor = SystemCall.open(path, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, mode: 0o600)
        guard descriptor >= 0 else { return nil }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        guard let status = SystemCall.status(of: descriptor), status.st_mode & S_IFMT == S_IFREG else { return nil }
        return file
    }
}
