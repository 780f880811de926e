import Foundation

extension FileHandle {
    /// All bytes up to the end.
    ///
    /// Foundation's own methods end the program when a signal interrupts them, and a child's end sends one.
    func bytesToEnd() -> Data {
        var bytes = Data()
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = Foundation.read(fileDescriptor, &buffer, buffer.count)
            if count > 0 {
                bytes += buffer[..<count]
            } else if count == 0 || errno != EINTR {
                return bytes
            }
        }
    }
}
