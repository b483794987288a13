//! What a person probably meant: the nearest of a few known words. Owns the edit distance and nothing else.

/// Longer words are no slips of the fingers, and comparing them costs.
const LONGEST: usize = 64;

/// The known word nearest to what was found, if any is near enough to be a slip of the fingers.
pub fn nearest<'a>(found: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if found.len() > LONGEST {
        return None;
    }
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
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=right.len()).collect();
    for i in 1..=left.len() {
        let mut row = vec![i; right.len() + 1];
        for j in 1..=right.len() {
            let replaced = last[j - 1] + usize::from(left[i - 1] != right[j - 1]);
            row[j] = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1] {
                row[j] = row[j].min(before_last[j - 2] + 1);
            }
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn swapped_neighbours_count_as_one_slip() {
        assert_eq!(distance("fitler", "filter"), 1);
        assert_eq!(distance("", "sort"), 4);
        assert_eq!(distance("sealing", "signing"), 3);
    }

    #[test]
    fn a_word_that_is_far_from_all_gets_no_suggestion() {
        assert_eq!(nearest("colour", ["filter", "sort"]), None);
        assert_eq!(nearest("SORTT", ["filter", "sort"]), Some("sort"));
        assert_eq!(nearest(&"sort".repeat(100), ["sort"]), None);
    }
}
