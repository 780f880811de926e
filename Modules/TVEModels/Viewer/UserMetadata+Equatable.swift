extension UserMetadata {
    /// Compares every value; names and texts as UTF-8 bytes.
    public static func == (left: Self, right: Self) -> Bool {
        left.updated == right.updated && left.data.isSameBytes(as: right.data)
            && Set(left.encrypted.map { ExactText($0) }) == Set(right.encrypted.map { ExactText($0) })
    }
}
