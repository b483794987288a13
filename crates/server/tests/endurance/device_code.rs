//! A device that a person lets in.

use crate::house::{House, Registered};
use crate::person::Person;
use crate::told::calm;

pub const GRANT: &str = "urn:ietf:params:oauth:grant-type:device_code";

/// What a device shows and keeps.
pub struct Question {
    pub device_code: String,
    pub user_code: String,
}

/// Asks for codes, as a client with a secret.
pub async fn ask(house: &House, client: &Registered) -> Question {
    let answer = calm(house.post("/device/code", client, &[("scope", "openid read:orders")])).await.expect(&[200]);
    Question { device_code: answer.word("device_code"), user_code: answer.word("user_code") }
}

/// Lets it in. The person is signed in, or does it now.
pub async fn let_in(person: &Person, question: &Question) {
    let mut page = person.open("/device").await;
    if page.shows("login-submit") {
        page = person.sign_in(&page).await;
    }
    let csrf = page.field("csrf").unwrap();
    let page = person.send(person.post("/device", &[("csrf", &csrf), ("user_code", &question.user_code)])).await;
    let (csrf, code) = (page.field("csrf").unwrap(), page.field("user_code").unwrap());
    let form = [("csrf", &*csrf), ("user_code", &code), ("decision", "approve")];
    let done = person.send(person.post("/device", &form)).await;
    assert!(done.text.contains("Your device is connected"), "{}", done.text);
}
