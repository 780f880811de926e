/// A growing list of plain values that keeps its memory when it is emptied.
///
/// An array would do the same, but checks at every append whether it is uniquely referenced. This list has one owner,
/// with which its memory ends, so no use can come too late; every access by index is checked.
@safe struct KeptBuffer<Element: BitwiseCopyable>: ~Copyable {
    private(set) var count = 0
    private var capacity: Int
    private var start: UnsafeMutablePointer<Element>
    /// The capacity to keep, in elements.
    private let kept: Int

    /// Makes an empty list with the capacity that it also has after ``removeAll()``, in elements.
    init(keeping kept: Int) {
        self.kept = kept
        capacity = kept
        unsafe start = .allocate(capacity: kept)
    }

    deinit { unsafe start.deallocate() }

    /// All elements; valid until the next change.
    @unsafe var elements: UnsafeBufferPointer<Element> {
        @inline(__always) get { unsafe UnsafeBufferPointer(start: start, count: count) }
    }

    /// Calls a closure with all elements.
    @inline(__always)
    func withSpan<Result, Failure: Error>(
        _ body: (Span<Element>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // Valid until the next change, which the borrow of this list excludes.
        let elements = unsafe elements
        return try unsafe body(elements.span)
    }

    subscript(index: Int) -> Element {
        @inline(__always) get {
            precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
            // Inside the list: checked above.
            return unsafe start[index]
        }
        @inline(__always) _modify {
            precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
            // Inside the list: checked above.
            yield unsafe &start[index]
        }
    }

    /// Makes room for a number of elements in all.
    @inline(__always)
    mutating func reserve(_ needed: Int) {
        if needed > capacity { grow(to: needed) }
    }

    @inline(__always)
    mutating func append(_ element: Element) {
        if count == capacity { grow(to: count + 1) }
        // There is room for it.
        unsafe (start + count).initialize(to: element)
        count += 1
    }

    mutating func append(_ element: Element, count new: Int) {
        precondition(new >= 0)
        reserve(count + new)
        // There is room for them.
        unsafe (start + count).initialize(repeating: element, count: new)
        count += new
    }

    mutating func append(contentsOf other: Span<Element>) {
        reserve(count + other.count)
        // There is room for them, and an owner's list is no span of itself.
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

    /// Forgets the elements, and frees memory beyond the kept capacity.
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
        // Both are as long as that.
        unsafe larger.moveInitialize(from: start, count: count)
        unsafe start.deallocate()
        unsafe start = larger
    }
}

extension KeptBuffer<UInt8> {
    /// Appends bytes that a closure writes, all of them.
    ///
    /// The closure may write `spare` more behind them, which are discarded.
    mutating func append<Result>(
        count new: Int, spare: Int, _ write: (inout MutableRawSpan) -> Result
    ) -> Result {
        let before = count
        // Zeros first, so that no byte is one that nobody wrote.
        append(0, count: new + spare)
        count = before + new
        // There is room for both.
        var span = unsafe MutableRawSpan(_unsafeStart: start + before, byteCount: new + spare)
        return write(&span)
    }

    /// Zeros from an offset on.
    mutating func blank(from offset: Int) {
        guard offset < count else { return }
        for index in offset..<count { self[index] = 0 }
    }
}
