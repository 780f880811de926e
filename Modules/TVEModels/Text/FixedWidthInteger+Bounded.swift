extension FixedWidthInteger {
    /// Creates the integer part of a number, limited to the range of the type, or 0 if the value is not a number.
    ///
    /// The conversions of the standard library stop the process for numbers that are out of range, and many numbers
    /// come from outside. A test over the sources rejects those conversions elsewhere.
    ///
    /// - Parameter number: any number, including infinity and NaN. Its fraction is dropped.
    @inlinable
    package init(bounded number: Double) {
        self = Self(exactly: number.rounded(.towardZero)) ?? (number > 0 ? .max : number < 0 ? .min : 0)
    }
}
