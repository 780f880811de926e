/// One step of a record as it stands in a log, with offsets in the file.
enum LogStep {
    /// The key's value is at this place.
    case put(StorageKey, LogIndex.Entry)
    /// The key has no value.
    case remove(StorageKey)
    /// Neither the key nor any key below it has a value.
    case removeAll(StorageKey)
    /// The records from this offset on, up to this one, could not be flushed and do not count. Nothing may be written
    /// behind it.
    case void(from: Int)
    /// Another file takes this one's place, or was about to.
    case moved
    /// Bytes that mean nothing.
    case note
}
