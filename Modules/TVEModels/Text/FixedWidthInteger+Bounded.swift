extension FixedWidthInteger {
    /// The whole part of a number, or the nearest value that the type has; 0 for what is no number.
    ///
    /// The conversions of the standard library stop the process for numbers that are too large, and many of ours come
    /// from outside. A test over the sources refuses them elsewhere.
    ///
    /// - Parameter number: any number, also infinite or none; its fraction is dropped.
    @inlinable
    package init(bounded number: Double) {
        self = Self(exactly: number.rounded(.towardZero)) ?? (number > 0 ? .max : number < 0 ? .min : 0)
    }
}
