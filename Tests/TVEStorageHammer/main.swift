import Foundation

// This is one of several processes that use one store at random (`HammerTests`). It logs in and out, checks, repairs,
// reseals, imports and expires. It prints its actions and observations as lines of JSON, with times of the clock that
// all processes share.
//
//     TVEStorageHammer DIRECTORY NUMBER SEED OPERATIONS SECONDS

let arguments = CommandLine.arguments
guard arguments.count == 6, let number = Int(arguments[2]), let seed = UInt64(arguments[3]),
    let operations = Int(arguments[4]), let seconds = Double(arguments[5])
else { fatalError("usage: TVEStorageHammer DIRECTORY NUMBER SEED OPERATIONS SECONDS") }

var hammer = try Hammer(directory: URL(fileURLWithPath: arguments[1]), number: number, seed: seed)
let end = seconds.isFinite ? HammerEvent.now() + Int(seconds * 1e9) : .max
for _ in 0..<operations where HammerEvent.now() < end { hammer.strike() }
