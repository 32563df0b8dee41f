//! The binary format's numbers and lists, read and written.

/// What is left of the bytes that are read.
#[derive(Clone, Copy)]
pub struct Reader<'a>(pub &'a [u8]);

impl<'a> Reader<'a> {
    /// Whether nothing is left.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn byte(&mut self) -> Option<u8> {
        self.take(1)?.first().copied()
    }

    pub fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    /// A number in LEB128, of 32 bits.
    pub fn number(&mut self) -> Option<usize> {
        let mut number = 0;
        for shift in (0..35).step_by(7) {
            let byte = self.byte()?;
            number |= usize::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    /// A number in LEB128 of whatever size.
    pub fn skip(&mut self) -> Option<()> {
        while self.byte()? >= 0x80 {}
        Some(())
    }

    /// Bytes behind their count.
    pub fn sized(&mut self) -> Option<&'a [u8]> {
        let count = self.number()?;
        self.take(count)
    }

    /// The bytes that `read` goes over.
    pub fn spanned(&mut self, read: impl FnOnce(&mut Self) -> Option<()>) -> Option<&'a [u8]> {
        let before = self.0;
        read(self)?;
        before.get(..before.len() - self.0.len())
    }

    /// The kind and type of something imported.
    pub fn import(&mut self) -> Option<()> {
        let limits = |reader: &mut Self| {
            let has_most = reader.number()? & 1 == 1;
            reader.skip()?;
            if has_most { reader.skip() } else { Some(()) }
        };
        match self.byte()? {
            0 => self.skip(),
            1 => {
                self.byte()?;
                limits(self)
            }
            2 => limits(self),
            3 => self.take(2).map(drop),
            _ => None,
        }
    }
}

/// Writes a number in LEB128.
pub fn put(bytes: &mut Vec<u8>, mut number: usize) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Writes a number whose highest bit would else be its sign.
pub fn put_signed(bytes: &mut Vec<u8>, mut number: usize) {
    while number >= 0x40 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

pub fn put_sized(bytes: &mut Vec<u8>, content: &[u8]) {
    put(bytes, content.len());
    bytes.extend(content);
}
