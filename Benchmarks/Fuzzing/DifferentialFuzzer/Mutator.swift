/// Changes an input for libFuzzer, mostly by tags, references and text instead of single bytes.
@_cdecl("LLVMFuzzerCustomMutator")
public func mutate(
    _ start: UnsafeMutablePointer<UInt8>?, count: Int, capacity: Int, seed: CUnsignedInt
) -> Int {
    guard let start, capacity > 0 else { return 0 }
    var mutator = StructureMutator(seed: UInt64(seed))
    // A third of the changes are libFuzzer's own, which use what libFuzzer has learnt.
    guard mutator.random(below: 3) > 0 else { return mutateBytes(start, count: count, capacity: capacity) }
    let bytes = mutator.mutated(Array(UnsafeBufferPointer(start: start, count: count))).prefix(capacity)
    _ = UnsafeMutableBufferPointer(start: start, count: bytes.count).update(fromContentsOf: bytes)
    return bytes.count
}

/// Changes bytes as libFuzzer does by default.
///
/// libFuzzer has no header. Swift passes plain integers and pointers as C does.
@_silgen_name("LLVMFuzzerMutate")
private func mutateBytes(_ start: UnsafeMutablePointer<UInt8>, count: Int, capacity: Int) -> Int
