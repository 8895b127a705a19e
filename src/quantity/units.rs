//! The five physical quantities of a latency model, in SI base units.

use std::iter::Sum;
use std::ops::{Add, AddAssign, Div, Mul, Sub};

macro_rules! quantity {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
        pub struct $name(f64);

        impl $name {
            /// Nothing of it.
            pub const ZERO: Self = Self(0.0);

            /// Wraps a value in the base unit. Values come from validated inputs or from formulas over them.
            #[must_use]
            pub const fn new(value: f64) -> Self {
                Self(value)
            }

            /// The value in the base unit.
            #[must_use]
            pub const fn get(self) -> f64 {
                self.0
            }
        }

        impl Add for $name {
            type Output = Self;
            fn add(self, other: Self) -> Self {
                Self(self.0 + other.0)
            }
        }
        impl Sub for $name {
            type Output = Self;
            fn sub(self, other: Self) -> Self {
                Self(self.0 - other.0)
            }
        }
        impl AddAssign for $name {
            fn add_assign(&mut self, other: Self) {
                self.0 += other.0;
            }
        }
        impl Mul<f64> for $name {
            type Output = Self;
            fn mul(self, factor: f64) -> Self {
                Self(self.0 * factor)
            }
        }
        impl Div for $name {
            type Output = f64;
            fn div(self, other: Self) -> f64 {
                self.0 / other.0
            }
        }
        impl Sum for $name {
            fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
                iter.fold(Self::ZERO, Add::add)
            }
        }
    };
}

quantity!(
    /// A duration in seconds.
    Seconds
);
quantity!(
    /// An amount of data in bytes (fractional where a format has fractional bytes per element).
    Bytes
);
quantity!(
    /// A count of floating-point operations.
    Flop
);
quantity!(
    /// A data rate in bytes per second.
    BytesPerSecond
);
quantity!(
    /// A compute rate in floating-point operations per second, dense.
    FlopPerSecond
);

impl Seconds {
    /// From microseconds, the unit of the cost formulas.
    #[must_use]
    pub const fn from_us(us: f64) -> Self {
        Self::new(us * 1e-6)
    }

    /// In milliseconds, the unit of every report.
    #[must_use]
    pub const fn ms(self) -> f64 {
        self.get() * 1e3
    }

    /// In microseconds.
    #[must_use]
    pub const fn us(self) -> f64 {
        self.get() * 1e6
    }
}

impl Bytes {
    /// From binary gigabytes (2^30 bytes).
    #[must_use]
    pub const fn from_gib(gib: f64) -> Self {
        Self::new(gib * (1u64 << 30) as f64)
    }

    /// In binary gigabytes (2^30 bytes).
    #[must_use]
    pub const fn gib(self) -> f64 {
        self.get() / (1u64 << 30) as f64
    }
}

impl BytesPerSecond {
    /// From GB/s (1e9 bytes per second).
    #[must_use]
    pub const fn from_gb_s(gb_s: f64) -> Self {
        Self::new(gb_s * 1e9)
    }

    /// In GB/s (1e9 bytes per second).
    #[must_use]
    pub const fn gb_s(self) -> f64 {
        self.get() / 1e9
    }
}

impl FlopPerSecond {
    /// From TFLOPS (1e12 operations per second).
    #[must_use]
    pub const fn from_tflops(tflops: f64) -> Self {
        Self::new(tflops * 1e12)
    }

    /// In TFLOPS (1e12 operations per second).
    #[must_use]
    pub const fn tflops(self) -> f64 {
        self.get() / 1e12
    }
}

impl Div<BytesPerSecond> for Bytes {
    type Output = Seconds;
    fn div(self, rate: BytesPerSecond) -> Seconds {
        Seconds::new(self.get() / rate.get())
    }
}
impl Div<FlopPerSecond> for Flop {
    type Output = Seconds;
    fn div(self, rate: FlopPerSecond) -> Seconds {
        Seconds::new(self.get() / rate.get())
    }
}
impl Div<Seconds> for Bytes {
    type Output = BytesPerSecond;
    fn div(self, time: Seconds) -> BytesPerSecond {
        BytesPerSecond::new(self.get() / time.get())
    }
}
impl Div<Seconds> for Flop {
    type Output = FlopPerSecond;
    fn div(self, time: Seconds) -> FlopPerSecond {
        FlopPerSecond::new(self.get() / time.get())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_convert_to_base_and_back() {
        assert_eq!(Seconds::from_us(1500.0).ms(), 1.5);
        assert_eq!(Seconds::new(0.002).us(), 2000.0);
        assert_eq!(Bytes::from_gib(2.0).get(), 2_147_483_648.0);
        assert_eq!(Bytes::new(3_221_225_472.0).gib(), 3.0);
        assert_eq!(BytesPerSecond::from_gb_s(1935.0).get(), 1.935e12);
        assert_eq!(BytesPerSecond::new(2e9).gb_s(), 2.0);
        assert_eq!(FlopPerSecond::from_tflops(312.0).get(), 3.12e14);
        assert_eq!(FlopPerSecond::new(1e12).tflops(), 1.0);
    }

    #[test]
    fn an_amount_over_a_rate_is_a_time_and_over_a_time_a_rate() {
        assert_eq!(Bytes::new(100.0) / BytesPerSecond::new(50.0), Seconds::new(2.0));
        assert_eq!(Flop::new(100.0) / FlopPerSecond::new(50.0), Seconds::new(2.0));
        assert_eq!(Bytes::new(100.0) / Seconds::new(2.0), BytesPerSecond::new(50.0));
        assert_eq!(Flop::new(100.0) / Seconds::new(2.0), FlopPerSecond::new(50.0));
    }

    #[test]
    fn sums_run_left_to_right() {
        let parts = [0.1, 0.2, 0.3].map(Seconds::new);
        assert_eq!(parts.into_iter().sum::<Seconds>().get(), (0.1 + 0.2) + 0.3);
        let mut total = Seconds::ZERO;
        total += Seconds::new(1.0);
        assert_eq!(total - Seconds::new(0.25), Seconds::new(0.75));
        assert_eq!(total * 2.0 / Seconds::new(4.0), 0.5);
    }
}
