public import Foundation

extension URL {
    /// The folder in which tests make theirs: in memory where the system has one, but on disk with `TVE_LONG_TESTS=1`.
    ///
    /// Each flush of a disk blocks one of the few threads that all tests share.
    public static let testFolder: URL = {
        let memory = URL(fileURLWithPath: "/dev/shm", isDirectory: true)
        let isUsable = FileManager.default.isWritableFile(atPath: memory.path)
        return isUsable && !LongTests.areOn ? memory : FileManager.default.temporaryDirectory
    }()
}
