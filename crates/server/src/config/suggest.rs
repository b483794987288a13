//! What a person probably meant: the nearest of a few known words. Owns the edit distance and nothing else.

/// The known word nearest to what was found, if any is near enough to be a slip of the fingers.
pub(super) fn nearest<'a>(found: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let found = found.to_lowercase();
    known
        .into_iter()
        .map(|word| (distance(&found, &word.to_lowercase()), word))
        .filter(|(distance, word)| *distance <= 1 + word.len().min(found.len()) / 5)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, word)| word)
}

/// How many letters must be added, dropped, replaced or swapped with their neighbour.
fn distance(left: &str, right: &str) -> usize {
    let left: Vec<char> = left.chars().collect();
    let right: Vec<char> = right.chars().collect();
    let mut rows = vec![vec![0; right.len() + 1]; left.len() + 1];
    for i in 0..=left.len() {
        for j in 0..=right.len() {
            rows[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let replaced = rows[i - 1][j - 1] + usize::from(left[i - 1] != right[j - 1]);
                let mut best = replaced.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
                if i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1] {
                    best = best.min(rows[i - 2][j - 2] + 1);
                }
                best
            };
        }
    }
    rows[left.len()][right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn swapped_neighbours_count_as_one_slip() {
        assert_eq!(distance("lsiten", "listen"), 1);
        assert_eq!(distance("", "data"), 4);
        assert_eq!(distance("sealing", "signing"), 3);
    }

    #[test]
    fn a_word_that_is_far_from_all_gets_no_suggestion() {
        assert_eq!(nearest("colour", ["listen", "data"]), None);
        assert_eq!(nearest("LISEN", ["listen", "data"]), Some("listen"));
    }
}
