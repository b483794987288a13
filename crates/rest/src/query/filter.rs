//! One filter, and how the name of a parameter says which.

use crate::problem::{FieldCode, FieldError};

/// A test that each row must pass.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filter {
    /// The parameter, as the client spelled it: `amount[gte]`.
    pub name: String,
    /// The field: `amount`.
    pub field: String,
    /// How it is compared.
    pub op: FilterOp,
    /// With what; at least one. Several mean "one of these", or "none of these" for [`FilterOp::Ne`].
    pub values: Vec<String>,
}

/// How a field is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FilterOp {
    /// `field=`
    Eq,
    /// `field[ne]=`
    Ne,
    /// `field[gt]=`
    Gt,
    /// `field[gte]=`
    Gte,
    /// `field[lt]=`
    Lt,
    /// `field[lte]=`
    Lte,
    /// `field[in]=a,b`
    In,
}

impl FilterOp {
    fn named(word: &str) -> Option<Self> {
        Some(match word {
            "ne" => Self::Ne,
            "gt" => Self::Gt,
            "gte" => Self::Gte,
            "lt" => Self::Lt,
            "lte" => Self::Lte,
            "in" => Self::In,
            _ => return None,
        })
    }

    /// Whether a second value has a meaning. Two lower bounds are a mistake, not a wish.
    pub(super) fn takes_several(self) -> bool {
        match self {
            Self::Eq | Self::Ne | Self::In => true,
            Self::Gt | Self::Gte | Self::Lt | Self::Lte => false,
        }
    }
}

/// Which field and comparison a parameter's name means: `a`, `a[op]`, `filter[a]` or `filter[a][op]`.
pub(super) fn target(name: &str) -> Result<(&str, FilterOp), FieldError> {
    let misspelled = || {
        FieldError::invalid_format(name.to_owned())
            .detail("Write `field`, `field[operator]`, `filter[field]` or `filter[field][operator]`.")
    };
    let Some((base, groups)) = name.split_once('[') else { return plain(name, misspelled) };
    let groups = groups.strip_suffix(']').ok_or_else(misspelled)?;
    let mut groups = groups.split("][");
    let field = if base == "filter" { groups.next().ok_or_else(misspelled)? } else { base };
    let (operator, surplus) = (groups.next(), groups.next());
    let brackets = |text: &str| text.contains(['[', ']']);
    if field.is_empty() || brackets(field) || operator.is_some_and(brackets) || surplus.is_some() {
        return Err(misspelled());
    }
    if base != "filter" && super::RESERVED.contains(&field) {
        return Err(FieldError::new(name.to_owned(), FieldCode::NotAllowed)
            .detail(format!("`{field}` is a parameter of the list. A field of that name is `filter[{field}]`.")));
    }
    let op = match operator {
        None => FilterOp::Eq,
        Some(word) => FilterOp::named(word).ok_or_else(|| {
            FieldError::new(name.to_owned(), FieldCode::InvalidValue)
                .detail("The operators are gt, gte, lt, lte, ne and in.")
        })?,
    };
    Ok((field, op))
}

fn plain(name: &str, misspelled: impl Fn() -> FieldError) -> Result<(&str, FilterOp), FieldError> {
    if name == "filter" || name.contains(']') {
        return Err(misspelled());
    }
    Ok((name, FilterOp::Eq))
}
