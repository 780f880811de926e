/// A growing list of plain values that retains its memory when it is emptied.
///
/// An array would do the same, but checks at every append whether it is uniquely referenced. This list has one owner
/// and frees its memory together with the owner, so no access can come too late. Every access by index is checked.
@safe struct KeptBuffer<Element: BitwiseCopyable>: ~Copyable {
    private(set) var count = 0
    private var capacity: Int
    private var start: UnsafeMutablePointer<Element>
    /// The capacity to retain, in elements.
    private let kept: Int

    /// Creates an empty list with the capacity that it also has after ``removeAll()``, in elements.
    init(keeping kept: Int) {
        self.kept = kept
        capacity = kept
        unsafe start = .allocate(capacity: kept)
    }

    deinit { unsafe start.deallocate() }

    /// All elements, which are valid until the next change.
    @unsafe var elements: UnsafeBufferPointer<Element> {
        @inline(__always) get { unsafe UnsafeBufferPointer(start: start, count: count) }
    }

    /// Calls a closure with all elements.
    @inline(__always)
    func withSpan<Result, Failure: Error>(
        _ body: (Span<Element>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // The elements are valid until the next change, which the borrow of this list excludes.
        let elements = unsafe elements
        return try unsafe body(elements.span)
    }

    subscript(index: Int) -> Element {
        @inline(__always) get {
            precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
            // The index is inside the list, as checked above.
            return unsafe start[index]
        }
        @inline(__always) _modify {
            precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
            // The index is inside the list, as checked above.
            yield unsafe &start[index]
        }
    }

    /// Reserves memory for a total number of elements.
    @inline(__always)
    mutating func reserve(_ needed: Int) {
        if needed > capacity { grow(to: needed) }
    }

    @inline(__always)
    mutating func append(_ element: Element) {
        if count == capacity { grow(to: count + 1) }
        // The memory was reserved above.
        unsafe (start + count).initialize(to: element)
        count += 1
    }

    mutating func append(_ element: Element, count new: Int) {
        precondition(new >= 0)
        reserve(count + new)
        // The memory was reserved above.
        unsafe (start + count).initialize(repeating: element, count: new)
        count += new
    }

    mutating func append(contentsOf other: Span<Element>) {
        reserve(count + other.count)
        // The memory was reserved above, and the memory of the only owner cannot overlap another span.
        unsafe other.withUnsafeBufferPointer { other in
            guard let source = other.baseAddress else { return }
            unsafe (start + count).initialize(from: source, count: other.count)
        }
        count += other.count
    }

    mutating func clear() { count = 0 }

    /// Removes the last element, which must exist.
    @inline(__always)
    mutating func removeLast() {
        precondition(count > 0)
        count &-= 1
    }

    /// Removes the elements, and frees memory beyond the retained capacity.
    mutating func removeAll() {
        count = 0
        guard capacity > kept else { return }
        unsafe start.deallocate()
        capacity = kept
        unsafe start = .allocate(capacity: kept)
    }

    @inline(never)
    private mutating func grow(to needed: Int) {
        capacity = count == 0 ? needed : max(needed, 2 * capacity)
        let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
        // Both buffers have at least this length.
        unsafe larger.moveInitialize(from: start, count: count)
        unsafe start.deallocate()
        unsafe start = larger
    }
}

extension KeptBuffer<UInt8> {
    /// Appends bytes, all of which a closure writes.
    ///
    /// The closure may write `spare` further bytes after them, which are discarded.
    mutating func append<Result>(
        count new: Int, spare: Int, _ write: (inout MutableRawSpan) -> Result
    ) -> Result {
        let before = count
        // The memory is filled with zeros first, so that every byte is initialized.
        append(0, count: new + spare)
        count = before + new
        // The memory for both was reserved above.
        var span = unsafe MutableRawSpan(_unsafeStart: start + before, byteCount: new + spare)
        return write(&span)
    }

    /// Replaces all bytes from an offset on with zeros.
    mutating func blank(from offset: Int) {
        guard offset < count else { return }
        for index in offset..<count { self[index] = 0 }
    }
}
