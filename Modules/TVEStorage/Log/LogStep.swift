/// One step of a record in a log, with offsets in the file.
enum LogStep {
    /// The key's value is at this place.
    case put(StorageKey, LogIndex.Entry)
    /// The key has no value.
    case remove(StorageKey)
    /// Neither the key nor any key below it has a value.
    case removeAll(StorageKey)
    /// The records from this offset up to this one could not be flushed and do not count. Nothing may be written after
    /// it.
    case void(from: Int)
    /// Another file replaces this one, or was about to.
    case moved
    /// Bytes without meaning.
    case note
}
