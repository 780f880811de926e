public import Foundation

// `Span` checks every access, and the compiler prevents a span from outliving its bytes. The views that the standard
// library offers on all supported systems are pointers; this file turns them into spans once, for all modules.

extension ContiguousBytes {
    /// Calls a closure with the bytes.
    @inlinable
    @inline(__always)
    package func withSpan<Result>(_ body: (Span<UInt8>) throws -> Result) rethrows -> Result {
        try unsafe withUnsafeBytes { bytes in
            let bytes = unsafe bytes.bindMemory(to: UInt8.self)
            return try unsafe body(bytes.span)
        }
    }
}

extension String {
    /// Calls a closure with the UTF-8 bytes.
    @inlinable
    @inline(__always)
    package func withUTF8Span<Result>(_ body: (Span<UInt8>) throws -> Result) rethrows -> Result {
        // This path avoids a copy, which would be retained and released.
        if let result = try unsafe utf8.withContiguousStorageIfAvailable({ bytes in try unsafe body(bytes.span) }) {
            return result
        }
        var text = self
        return try text.withUTF8 { bytes in try unsafe body(bytes.span) }
    }

    /// Creates a string from bytes, or returns nil when they are not valid UTF-8.
    package init?(validUTF8 bytes: Span<UInt8>) {
        self.init(decoding: bytes)
        guard withUTF8Span({ made in made.isSame(as: bytes) }) else { return nil }
    }

    /// Creates a string from bytes and replaces those that are not valid UTF-8.
    @inlinable
    package init(decoding bytes: Span<UInt8>) {
        self = unsafe bytes.withUnsafeBufferPointer { bytes in unsafe String(decoding: bytes, as: UTF8.self) }
    }
}

extension Data {
    @inlinable
    package init(_ bytes: Span<UInt8>) {
        self = unsafe bytes.withUnsafeBytes { bytes in unsafe Data(bytes) }
    }
}

extension [UInt8] {
    @inlinable
    package mutating func append(contentsOf bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer { bytes in unsafe append(contentsOf: bytes) }
    }
}

extension Collection<UInt8> {
    /// Calls a closure with the bytes, or returns nil when they are not contiguous or belong to a bridged string.
    @inlinable
    @inline(__always)
    package func withSpanIfContiguous<Result>(_ body: (Span<UInt8>) -> Result) -> Result? {
        withContiguousStorageIfAvailable { bytes in unsafe body(bytes.span) }
    }
}

extension Span<UInt8> {
    /// Returns a Boolean value that indicates whether the other bytes are the same.
    ///
    /// The C library compares many bytes at a time.
    @inlinable
    package func isSame(as other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        return unsafe withUnsafeBytes { own in
            unsafe other.withUnsafeBytes { other in
                guard let first = own.baseAddress, let second = other.baseAddress else { return true }
                return unsafe memcmp(first, second, own.count) == 0
            }
        }
    }

    /// Returns a Boolean value that indicates whether other bytes occur in these.
    ///
    /// No bytes occur everywhere.
    package func hasBytes(of pattern: Span<UInt8>) -> Bool {
        guard !pattern.isEmpty else { return true }
        var start = 0
        // The pattern is compared only where its first byte is.
        while let place = firstIndex(of: pattern[0], from: start), pattern.count <= count - place {
            if extracting(place..<place + pattern.count).isSame(as: pattern) { return true }
            start = place + 1
        }
        return false
    }

    /// Returns eight bytes as a number whose lowest byte is the first one.
    ///
    /// This is the only unchecked access to bytes. The caller has compared the offset with the length, once for all
    /// words that it reads.
    @inlinable
    @inline(__always)
    @unsafe package func uncheckedWord(at offset: Int) -> UInt64 {
        // Any eight bytes form a valid number.
        UInt64(littleEndian: unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self))
    }

    /// Returns the first position of a byte at or after an offset.
    ///
    /// The C library searches many bytes at a time, in debug builds too.
    package func firstIndex(of byte: UInt8, from start: Int = 0) -> Int? {
        // `memchr` searches only up to the end, so the start must lie within the bytes.
        precondition(start >= 0 && start <= count)
        return unsafe withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return nil }
            return unsafe memchr(base + start, Int32(byte), bytes.count - start).map {
                unsafe UnsafeRawPointer($0) - base
            }
        }
    }
}

extension Hasher {
    @inlinable
    package mutating func combine(bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBytes { bytes in unsafe combine(bytes: bytes) }
    }
}
