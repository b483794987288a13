//! What people see. Owns wording, layout and the headers of pages; never speaks to a store and never decides a rule.
//!
//! A page is a typed view in a module of its own, a template of the same name in `templates/`, and samples that a test
//! renders. `cargo run -p valetkey-pages --example gallery` shows all of them in a browser.
//!
//! | module | what it owns |
//! |---|---|
//! | [`theme`] | name, logo, colour and links of the house |
//! | [`landing`] | the page at `/` |
//! | [`problems`] | the pages behind the `type` link of an error |
//! | [`error_page`] | what a person sees when a page is missing or broken |
//! | [`sign_in`] | sign in, and what one sees who is signed in |
//! | [`consent`] | what a client may do |
//! | [`scopes`] | scopes in plain words |
//! | [`sign_out`] | the question before and the word after |
//! | [`device`] | connects a device by its code |
//! | [`account`] | apps, sign-ins, alerts and the password |
//! | [`playground`] | every flow, step by step |
//! | [`api_docs`] | the declared API, to read and to try |
//! | [`form_post`] | carries an answer to a client as a form |
//! | [`language`] | which language, and its words from `locales/` |
//! | [`routes`] | the addresses for people, and what each calls |
//! | [`respond`] | the headers that every page carries |
//! | [`assets`] | stylesheet and pictures under `/static` |
//! | [`view`] | what makes a struct a page |

pub mod account;
pub mod api_docs;
pub mod assets;
pub mod consent;
pub mod device;
pub mod error_page;
pub mod form_post;
pub mod landing;
pub mod language;
pub mod playground;
pub mod problems;
pub mod respond;
pub mod routes;
pub mod scopes;
pub mod sign_in;
pub mod sign_out;
pub mod theme;
pub mod view;

mod agent;
mod prose;

#[cfg(test)]
mod tests;

pub use account::{AccountNotice, AccountPage, AlertRow, AppRow, PasswordFault, SessionRow, SignInRow};
pub use api_docs::ApiDocsPage;
pub use consent::ConsentPage;
pub use device::{DeviceConfirmPage, DeviceDonePage, DeviceFault, DevicePage};
pub use error_page::{ErrorPage, Trouble};
pub use form_post::FormPostPage;
pub use landing::{Door, Landing, Step};
pub use language::Language;
pub use playground::PlaygroundPage;
pub use problems::{ProblemEntry, ProblemIndex, ProblemPage};
pub use scopes::ScopeRow;
pub use sign_in::{ProviderButton, SignInFault, SignInPage, SignedInPage};
pub use sign_out::{SignOutPage, SignedOutPage};
pub use theme::{Accent, Brand, Logo};
pub use view::{Spoken, View};
