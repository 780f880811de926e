extension Requestor {
    /// Compares every value; texts as UTF-8 bytes.
    public static func == (left: Self, right: Self) -> Bool {
        left.id.isSameBytes(as: right.id)
            && left.name.isSameBytes(as: right.name)
            && left.domains.isSameBytes(as: right.domains)
            && left.channels.isSameBytes(as: right.channels)
            && left.providers == right.providers
    }
}
