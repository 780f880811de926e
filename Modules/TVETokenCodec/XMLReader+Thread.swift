import Foundation

extension XMLReader {
    /// Takes in a text with the calling thread's reader; ``end()`` must be called when nothing of it is needed any more.
    ///
    /// A context of the library must not be shared between threads, so every thread keeps one of its own until it ends.
    static func begin(_ text: String) throws(TokenCodecError) -> XMLReader {
        guard let reader = current ?? XMLReader() else { throw noMemory }
        reader.begin(text.utf8)
        return reader
    }

    /// Takes in bytes that may or may not be UTF-8.
    static func begin(_ bytes: some Collection<UInt8>, _ policy: XMLPolicy) throws(TokenCodecError) -> XMLReader {
        guard bytes.count <= policy.maximumBytes else { throw .tooLarge(limit: policy.maximumBytes) }
        guard let reader = current ?? XMLReader() else { throw noMemory }
        reader.begin(bytes)
        if let offset = UTF8Check.firstInvalidOffset(in: reader.source) {
            reader.end()
            throw .invalidUTF8(offset: offset)
        }
        return reader
    }

    /// How many documents the calling thread's reader read in which way.
    static var countOfThisThread: XMLPathCount { current?.count ?? XMLPathCount() }

    /// The calling thread's reader, made when it is first asked for; nil while it is in use further up, or when the
    /// system has no place left for it.
    private static var current: XMLReader? {
        guard let key else { return nil }
        if let address = pthread_getspecific(key) {
            let reader = XMLReader(address: address)
            return reader.isBusy ? nil : reader
        }
        guard let reader = XMLReader() else { return nil }
        guard pthread_setspecific(key, reader.address) == 0 else {
            reader.deallocate()
            return nil
        }
        reader.keep()
        return reader
    }

    /// Where threads keep their readers; a thread that ends lets go of its own.
    private static let key: pthread_key_t? = {
        var key = pthread_key_t()
        let result = pthread_key_create(&key) { address in
            // Optional on one system, not on the other.
            let address: UnsafeMutableRawPointer? = address
            if let address { XMLReader(address: address).deallocate() }
        }
        return result == 0 ? key : nil
    }()
}
