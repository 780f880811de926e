extension MetadataValue {
    /// Compares kinds and values; texts and names as UTF-8 bytes, because viewers' ids are among them.
    public static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        case (.string(let left), .string(let right)): left.isSameBytes(as: right)
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left.isSameBytes(as: right)
        default: false
        }
    }
}
