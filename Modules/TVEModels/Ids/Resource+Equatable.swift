extension Resource {
    /// Compares the texts as UTF-8 bytes.
    public static func == (left: Self, right: Self) -> Bool { left.text.isSameBytes(as: right.text) }

    /// Hashes the text's UTF-8 bytes.
    ///
    /// - Parameter hasher: takes them.
    public func hash(into hasher: inout Hasher) {
        text.hashBytes(into: &hasher)
    }
}

extension Resource.Item {
    /// Compares the texts as UTF-8 bytes.
    public static func == (left: Self, right: Self) -> Bool {
        left.title.isSameBytes(as: right.title) && left.guid.isSameBytes(as: right.guid) && left.rating == right.rating
    }
}

extension Resource.Rating {
    /// Compares the texts as UTF-8 bytes.
    public static func == (left: Self, right: Self) -> Bool {
        left.scheme.isSameBytes(as: right.scheme) && left.value.isSameBytes(as: right.value)
    }
}
