//! What can be done with a resource, and the scope each of these needs.

/// One thing that a caller may want to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operation {
    /// `GET` on the collection.
    List,
    /// `GET` on one row.
    Read,
    /// `POST` on the collection.
    Create,
    /// `PUT`.
    Replace,
    /// `PATCH`.
    Update,
    /// `DELETE`.
    Delete,
    /// `POST` on an action.
    Act,
}

impl Operation {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::List, Self::Read, Self::Create, Self::Replace, Self::Update, Self::Delete, Self::Act];
    /// The word in a declaration.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::List => "list",
            Self::Read => "read",
            Self::Create => "create",
            Self::Replace => "replace",
            Self::Update => "update",
            Self::Delete => "delete",
            Self::Act => "act",
        }
    }
}

/// Which scope each operation needs. None: any valid token will do.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Scopes {
    /// For lists.
    pub list: Option<String>,
    /// For one row.
    pub read: Option<String>,
    /// For new rows.
    pub create: Option<String>,
    /// For `PUT`.
    pub replace: Option<String>,
    /// For `PATCH`.
    pub update: Option<String>,
    /// For `DELETE`.
    pub delete: Option<String>,
    /// For actions that name none of their own.
    pub act: Option<String>,
}

impl Scopes {
    /// The scope of one operation.
    pub fn of(&self, operation: Operation) -> Option<&str> {
        match operation {
            Operation::List => &self.list,
            Operation::Read => &self.read,
            Operation::Create => &self.create,
            Operation::Replace => &self.replace,
            Operation::Update => &self.update,
            Operation::Delete => &self.delete,
            Operation::Act => &self.act,
        }
        .as_deref()
    }
}
