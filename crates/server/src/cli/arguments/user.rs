//! What the command line can say of people.

use clap::{Args, Subcommand};

use crate::cli::link::LinkCommand;

#[derive(Debug, Subcommand)]
pub(in crate::cli) enum UserCommand {
    /// Add a person
    Add {
        /// What they type at sign-in
        username: String,
        /// Read the password from standard input; without it, a terminal is asked
        #[arg(long)]
        password_stdin: bool,
        #[command(flatten)]
        terms: UserTerms,
        /// Mark as an administrator: allows nothing yet, and keeps other providers from linking the account by its
        /// e-mail address
        #[arg(long)]
        admin: bool,
    },
    /// List people by their names
    List {
        /// Only those after this name
        #[arg(long, value_name = "NAME")]
        after: Option<String>,
        /// At most so many
        #[arg(long, default_value_t = 100)]
        limit: u32,
    },
    /// Change a person; what is not named stays
    Edit {
        /// What they type at sign-in
        username: String,
        #[command(flatten)]
        terms: UserTerms,
        /// They may let apps do whatever they like
        #[arg(long, conflicts_with = "scopes")]
        any_scope: bool,
        /// Whether they are marked as an administrator, on or off: allows nothing yet, and keeps other providers from
        /// linking the account by its e-mail address
        #[arg(long, value_name = "SWITCH")]
        admin: Option<String>,
    },
    /// Give a person a new password: signed out everywhere
    Password {
        /// What they type at sign-in
        username: String,
        /// Read the password from standard input; without it, a terminal is asked
        #[arg(long)]
        password_stdin: bool,
    },
    /// Remove a person: signed out everywhere, and no app has access any more
    Remove {
        /// What they type at sign-in
        username: String,
    },
    #[command(flatten)]
    Link(LinkCommand),
}

#[derive(Debug, Args)]
pub(in crate::cli) struct UserTerms {
    /// E-mail address
    #[arg(long)]
    pub(in crate::cli) email: Option<String>,
    /// Full name
    #[arg(long)]
    pub(in crate::cli) name: Option<String>,
    /// A standard claim such as given_name=Ada or address={"locality":"Paris"}; may be repeated
    #[arg(long = "claim", value_name = "NAME=VALUE")]
    pub(in crate::cli) claims: Vec<String>,
    /// A scope of the API that they may let apps have, and none but those; may be repeated, or several with spaces; an
    /// empty one for none at all [default: all]
    #[arg(long = "scope", value_name = "SCOPE")]
    pub(in crate::cli) scopes: Vec<String>,
}
