import Foundation
import TVEModels

extension XMLReader {
    /// Parses a whole document with the calling thread's reader, and calls a closure with it.
    ///
    /// - Parameters:
    ///   - bytes: the document, which need not be valid UTF-8.
    ///   - policy: the limits.
    ///   - body: receives the document.
    /// - Returns: the result of the closure.
    /// - Throws: the closure's error, or any `TokenCodecError` about the bytes, the markup or a limit.
    static func withDocument<Result>(
        in bytes: some Collection<UInt8>, _ policy: XMLPolicy,
        _ body: (borrowing XMLDocument) throws(TokenCodecError) -> Result
    ) throws(TokenCodecError) -> Result {
        guard bytes.count <= policy.maximumBytes else { throw .tooLarge(limit: policy.maximumBytes) }
        return try withReader(of: bytes) { reader throws(TokenCodecError) in
            try reader.parse(policy)
            return try body(reader.document)
        }
    }

    /// Loads a text into the calling thread's reader, and calls a closure with the reader.
    ///
    /// A context of the library must not be shared between threads, so every thread has its own reader until it ends.
    /// While a caller uses the thread's reader, a call inside the closure gets another one.
    ///
    /// - Parameters:
    ///   - text: the bytes of the text.
    ///   - body: receives the reader.
    /// - Returns: the result of the closure.
    /// - Throws: the closure's error, or ``XMLParser/noMemory``.
    static func withReader<Result>(
        of text: some Collection<UInt8>, _ body: (inout XMLReader) throws(TokenCodecError) -> Result
    ) throws(TokenCodecError) -> Result {
        let reader = try unsafe take()
        defer { unsafe putBack(reader) }
        unsafe reader.pointee.load(text)
        return try unsafe body(&reader.pointee)
    }

    /// Takes the reader out of the thread's slot, or creates one if the slot is empty.
    ///
    /// The caller owns the reader until ``putBack(_:)``.
    private static func take() throws(TokenCodecError) -> UnsafeMutablePointer<XMLReader> {
        if let slot, let address = unsafe pthread_getspecific(slot) {
            pthread_setspecific(slot, nil)
            return unsafe address.assumingMemoryBound(to: XMLReader.self)
        }
        guard let parser = XMLParser() else { throw XMLParser.noMemory }
        let reader = UnsafeMutablePointer<XMLReader>.allocate(capacity: 1)
        unsafe reader.initialize(to: XMLReader(parser))
        return unsafe reader
    }

    /// Empties a reader and puts it into the thread's slot.
    ///
    /// The reader is freed instead if the slot is taken or does not exist, or if its parser has too many names.
    private static func putBack(_ reader: UnsafeMutablePointer<XMLReader>) {
        unsafe reader.pointee.unload()
        if let slot, unsafe reader.pointee.parser.nameBytes <= mostNameBytes, unsafe pthread_getspecific(slot) == nil,
            unsafe pthread_setspecific(slot, reader) == 0
        {
            return
        }
        unsafe free(reader)
    }

    private static func free(_ reader: UnsafeMutablePointer<XMLReader>) {
        unsafe reader.deinitialize(count: 1)
        unsafe reader.deallocate()
    }

    /// The thread-local slot, which owns the address of a thread's reader while nobody uses it.
    ///
    /// It is nil if the system has no slot left. A thread that ends frees its reader.
    private static let slot: pthread_key_t? = {
        var slot = pthread_key_t()
        let result = unsafe pthread_key_create(&slot) { address in
            // The type is optional on one system and not on the other.
            let address: UnsafeMutableRawPointer? = unsafe address
            if let address = unsafe address { unsafe XMLReader.free(address.assumingMemoryBound(to: XMLReader.self)) }
        }
        return result == 0 ? slot : nil
    }()
}
