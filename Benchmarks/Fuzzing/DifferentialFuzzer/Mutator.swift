/// libFuzzer calls this to change an input: mostly by tags, references and text instead of single bytes.
@_cdecl("LLVMFuzzerCustomMutator")
public func mutate(_ start: UnsafeMutablePointer<UInt8>?, _ count: Int, _ capacity: Int, _ seed: CUnsignedInt) -> Int {
    guard let start, capacity > 0 else { return 0 }
    var mutator = StructureMutator(seed: UInt64(seed))
    // A third of the changes are libFuzzer's own, which use what it has learnt.
    guard mutator.random(below: 3) > 0 else { return mutateBytes(start, count, capacity) }
    let bytes = mutator.mutated(Array(UnsafeBufferPointer(start: start, count: count))).prefix(capacity)
    _ = UnsafeMutableBufferPointer(start: start, count: bytes.count).update(fromContentsOf: bytes)
    return bytes.count
}

/// Part of libFuzzer, which has no header; plain integers and pointers are passed in Swift as they are in C.
@_silgen_name("LLVMFuzzerMutate")
private func mutateBytes(_ start: UnsafeMutablePointer<UInt8>, _ count: Int, _ capacity: Int) -> Int
