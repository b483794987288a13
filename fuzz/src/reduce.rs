//! The shortest text found that still fails: parts are left out for as long as it does.

/// Leaves out ever smaller parts of `text` while `fails`.
pub fn reduce(text: &[u8], fails: impl Fn(&[u8]) -> bool) -> Vec<u8> {
    let mut kept = text.to_vec();
    let mut size = kept.len().div_ceil(2);
    while size > 0 {
        let mut at = 0;
        while at < kept.len() {
            let mut shorter = kept.clone();
            shorter.drain(at..(at + size).min(kept.len()));
            if fails(&shorter) {
                kept = shorter;
            } else {
                at += size;
            }
        }
        size = if size == 1 { 0 } else { size.div_ceil(2) };
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::reduce;

    #[test]
    fn what_is_left_is_what_fails() {
        let fails = |text: &[u8]| text.contains(&b'x') && text.contains(&b'y');

        assert_eq!(reduce(b"some x and some y, and more", fails), b"xy");
    }
}
