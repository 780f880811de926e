import Foundation
import TVEModels

extension XMLReader {
    /// Loads a text into the calling thread's reader.
    ///
    /// The caller must call ``end()`` when it no longer needs the text and its document. A context of the library must
    /// not be shared between threads, so every thread has its own until it ends.
    static func begin(_ text: String) throws(TokenCodecError) -> XMLReader {
        guard let reader = current ?? XMLReader() else { throw XMLParser.noMemory }
        reader.begin(text.utf8)
        return reader
    }

    /// Loads bytes that need not be valid UTF-8.
    static func begin(_ bytes: some Collection<UInt8>, _ policy: XMLPolicy) throws(TokenCodecError) -> XMLReader {
        guard bytes.count <= policy.maximumBytes else { throw .tooLarge(limit: policy.maximumBytes) }
        guard let reader = current ?? XMLReader() else { throw XMLParser.noMemory }
        reader.begin(bytes)
        if let offset = reader.withSource(UTF8Check.firstInvalidOffset) {
            reader.end()
            throw .invalidUTF8(offset: offset)
        }
        return reader
    }

    static var countOfThisThread: PathCount { current?.count ?? PathCount() }

    static var nameBytesOfThisThread: Int { current?.nameBytes ?? 0 }

    /// The calling thread's reader, created on first use.
    ///
    /// It is nil while a caller further up the stack uses it, or if the system has no thread-local slot left.
    private static var current: XMLReader? {
        guard let key else { return nil }
        // The slot contains only the address of this thread's reader.
        if let address = unsafe pthread_getspecific(key) {
            let reader = unsafe XMLReader(address: address)
            return reader.isBusy ? nil : reader
        }
        guard let reader = XMLReader() else { return nil }
        guard unsafe pthread_setspecific(key, reader.address) == 0 else {
            reader.deallocate()
            return nil
        }
        reader.keep()
        return reader
    }

    /// The thread-local slot of the readers.
    ///
    /// A thread that ends releases its own reader.
    private static let key: pthread_key_t? = {
        var key = pthread_key_t()
        let result = unsafe pthread_key_create(&key) { address in
            // The type is optional on one system and not on the other.
            let address: UnsafeMutableRawPointer? = unsafe address
            if let address = unsafe address { unsafe XMLReader(address: address).deallocate() }
        }
        return result == 0 ? key : nil
    }()
}
