//! One statement for several rows (SQLite): what it takes to begin one is paid once, and rows that go to the end of an index
//! find it at once.

/// So many rows at most: two to this power.
const POWER: u32 = 5;
/// And so many values, which SQLite keeps room for as long as it knows the statement.
const VALUES: usize = 4096;

/// The statements for two rows, for four, and so on.
#[derive(Default)]
pub(crate) struct Several(Vec<String>);

impl Several {
    /// From what writes one row, whose values have no numbers.
    ///
    /// It stops at the first row that cannot be written, and the rows before stay: so SQLite has nothing to keep for the case
    /// that it undoes them.
    pub(crate) fn of(one: &str) -> Self {
        let Some((_, row)) = one.rsplit_once(" VALUES ") else { return Self::default() };
        let first = one.replacen("INSERT INTO", "INSERT OR FAIL INTO", 1);
        let (next, values) = (format!(", {row}"), row.matches('?').count());
        let counts = (1..=POWER).map(|power| 1 << power).take_while(|count| count * values <= VALUES);
        Self(counts.map(|count: usize| format!("{first}{}", next.repeat(count - 1))).collect())
    }

    /// How many of so many rows are to be written with one statement, and with which: none if each has its own.
    pub(crate) fn up_to(&self, rows: usize) -> Option<(usize, &str)> {
        let power = (rows.checked_ilog2()? as usize).min(self.0.len());
        let sql = self.0.get(power.checked_sub(1)?)?;
        Some((1 << power, sql))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_written_in_powers_of_two() {
        let several = Several::of("INSERT INTO \"t\" (\"a\", \"b\") VALUES (?, NULL)");

        let counts: Vec<_> =
            [0, 1, 2, 3, 4, 17, 31, 32, 500].map(|rows| several.up_to(rows).map(|(count, _)| count)).into();
        let (_, two) = several.up_to(2).unwrap();
        let (_, four) = several.up_to(4).unwrap();

        assert_eq!(counts, [None, None, Some(2), Some(2), Some(4), Some(16), Some(16), Some(32), Some(32)]);
        assert_eq!(two, "INSERT OR FAIL INTO \"t\" (\"a\", \"b\") VALUES (?, NULL), (?, NULL)");
        assert_eq!(four.matches("(?, NULL)").count(), 4);
    }

    #[test]
    fn rows_with_many_values_share_a_statement_with_fewer_others() {
        let largest = |values: usize| {
            let row = vec!["?"; values].join(", ");
            Several::of(&format!("INSERT INTO t (a) VALUES ({row})")).up_to(1000).map(|(count, _)| count)
        };

        assert_eq!([128, 129, 2048, 2049].map(largest), [Some(32), Some(16), Some(2), None]);
    }
}
