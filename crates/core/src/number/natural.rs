//! Natural numbers of any length.

use std::cmp::Ordering;

/// A natural number, the lowest 32 binary digits first.
#[derive(Default)]
pub struct Natural(Vec<u32>);

impl From<u64> for Natural {
    fn from(number: u64) -> Self {
        Self(vec![number as u32, (number >> 32) as u32])
    }
}

impl Natural {
    /// The sum.
    pub fn plus(&self, other: &Self) -> Self {
        let mut sum = vec![];
        let mut carry = 0;
        for at in 0..self.0.len().max(other.0.len()) {
            let part = |number: &Self| u64::from(number.0.get(at).copied().unwrap_or(0));
            let added = part(self) + part(other) + carry;
            sum.push(added as u32);
            carry = added >> 32;
        }
        sum.push(carry as u32);
        Self(sum)
    }

    /// Multiplies by a factor and adds a number.
    pub fn multiply_and_add(&mut self, factor: u32, mut carry: u32) {
        for part in &mut self.0 {
            let product = u64::from(*part) * u64::from(factor) + u64::from(carry);
            *part = product as u32;
            carry = (product >> 32) as u32;
        }
        if carry > 0 {
            self.0.push(carry);
        }
    }

    /// How many binary digits it has.
    pub fn bits(&self) -> i64 {
        let highest = self.0.iter().rposition(|part| *part > 0);
        highest.map_or(0, |at| {
            32 * (at as i64 + 1) - i64::from(self.0[at].leading_zeros())
        })
    }

    /// Multiplies by a power of two.
    pub fn shift_left(&mut self, by: i64) {
        let whole = (by / 32) as usize;
        self.0.splice(0..0, std::iter::repeat_n(0, whole));
        self.multiply_and_add(1 << (by % 32), 0);
    }

    /// Which of two is greater.
    pub fn compare(&self, other: &Self) -> Ordering {
        let part = |number: &Self, at: usize| number.0.get(at).copied().unwrap_or(0);
        let longest = self.0.len().max(other.0.len());
        let differs = (0..longest)
            .rev()
            .find(|at| part(self, *at) != part(other, *at));
        differs.map_or(Ordering::Equal, |at| part(self, at).cmp(&part(other, at)))
    }

    /// Takes away what is not greater.
    pub fn subtract(&mut self, other: &Self) {
        let mut borrow = false;
        for (at, part) in self.0.iter_mut().enumerate() {
            let less = other.0.get(at).copied().unwrap_or(0);
            let (difference, first) = part.overflowing_sub(less);
            let (difference, second) = difference.overflowing_sub(u32::from(borrow));
            *part = difference;
            borrow = first || second;
        }
    }
}
