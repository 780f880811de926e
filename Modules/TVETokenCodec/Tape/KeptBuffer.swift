/// A growing list of plain values that keeps its memory when it is emptied.
///
/// An array would do the same, but checks at every append whether it is uniquely referenced. The owner must call
/// ``deallocate()``.
struct KeptBuffer<Element: BitwiseCopyable> {
    private(set) var count = 0
    private var capacity: Int
    private var start: UnsafeMutablePointer<Element>
    /// The capacity to keep, in elements.
    private let kept: Int

    /// Makes an empty list with the capacity that it also has after ``removeAll()``, in elements.
    init(keeping kept: Int) {
        self.kept = kept
        capacity = kept
        start = .allocate(capacity: kept)
    }

    func deallocate() { start.deallocate() }

    /// All elements; valid until the next change.
    var elements: UnsafeMutableBufferPointer<Element> { UnsafeMutableBufferPointer(start: start, count: count) }

    subscript(index: Int) -> Element {
        get { elements[index] }
        nonmutating set { elements[index] = newValue }
    }

    mutating func reserve(_ needed: Int) {
        if needed > capacity { grow(to: needed) }
    }

    @inline(__always)
    mutating func append(_ element: Element) {
        if count == capacity { grow(to: count + 1) }
        (start + count).initialize(to: element)
        count += 1
    }

    mutating func append(_ element: Element, count new: Int) {
        if count + new > capacity { grow(to: count + new) }
        (start + count).initialize(repeating: element, count: new)
        count += new
    }

    mutating func append(contentsOf other: UnsafeBufferPointer<Element>) {
        guard let source = other.baseAddress else { return }
        if count + other.count > capacity { grow(to: count + other.count) }
        (start + count).initialize(from: source, count: other.count)
        count += other.count
    }

    /// Appends elements that a closure writes, all of them, beginning at the given address.
    ///
    /// The closure may write `spare` more, which are discarded.
    mutating func append<Result>(count new: Int, spare: Int, _ write: (UnsafeMutableRawPointer) -> Result) -> Result {
        if count + new + spare > capacity { grow(to: count + new + spare) }
        defer { count += new }
        return write(UnsafeMutableRawPointer(start + count))
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
        start.deallocate()
        capacity = kept
        start = .allocate(capacity: kept)
    }

    @inline(never)
    private mutating func grow(to needed: Int) {
        capacity = count == 0 ? needed : max(needed, 2 * capacity)
        let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
        larger.moveInitialize(from: start, count: count)
        start.deallocate()
        start = larger
    }
}
