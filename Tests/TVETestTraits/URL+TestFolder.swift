public import Foundation

extension URL {
    /// The folder in which tests create their own folders.
    ///
    /// It is in memory if the system has such a folder, because each flush of a disk blocks one of the few threads that
    /// all tests share. With `TVE_LONG_TESTS=1` it is on disk.
    public static let testFolder: URL = {
        let memory = URL(fileURLWithPath: "/dev/shm", isDirectory: true)
        let isUsable = FileManager.default.isWritableFile(atPath: memory.path)
        return isUsable && !LongTests.areOn ? memory : FileManager.default.temporaryDirectory
    }()
}
