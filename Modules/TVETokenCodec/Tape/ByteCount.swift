import Foundation

extension UnsafeBufferPointer<UInt8> {
    /// How often a byte occurs; the C library compares many bytes at a time.
    ///
    /// - Parameters:
    ///   - byte: the byte.
    ///   - limit: where counting ends.
    func count(of byte: UInt8, upTo limit: Int = .max) -> Int {
        guard var rest = UnsafeRawPointer(baseAddress) else { return 0 }
        let end = rest + count
        var found = 0
        while found < limit, let next = memchr(rest, Int32(byte), end - rest) {
            found += 1
            rest = UnsafeRawPointer(next) + 1
        }
        return found
    }
}
