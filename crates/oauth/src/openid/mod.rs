//! OpenID Connect: who the user is, said in an id_token and at the userinfo endpoint.

mod claims;
mod id_token;
mod logout;
mod logout_token;
pub mod subject;
mod userinfo;

pub use claims::{ACR, ClaimsRequest, SUPPORTED};
pub use id_token::{IdTokenRequest, id_token, subject_of};
pub use logout::{Departure, LogoutRequest};
pub(crate) use logout_token::logout_message;
pub use logout_token::{LogoutError, logout_form};
pub use userinfo::userinfo;
