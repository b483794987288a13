//! The pages that speak the language of their reader: sound in all of them, with the hooks that scripts rely on.

use askama::Template;
use http::header;

use super::check_html;
use crate::{
    AccountPage, ApiDocsPage, ConsentPage, DeviceConfirmPage, DeviceDonePage, DevicePage, ErrorPage, FormPostPage,
    Language, PlaygroundPage, SignInFault, SignInPage, SignOutPage, SignedInPage, SignedOutPage, Spoken, View, consent,
    form_post, sign_in,
};

const HOSTILE: &str = "\"><script>alert(1)</script>";

/// Every sample in every language, with the token on each form of our own.
fn check_spoken<V: Spoken>() {
    for language in Language::ALL {
        for sample in V::samples() {
            let html = sample.spoken_in(language).render().unwrap();

            check_html(&html, language);
            for form in html.split("<form ").skip(1) {
                let tag = form.split('>').next().unwrap_or_default();
                assert!(tag.contains("method=\"post\"") && tag.contains("autocomplete="), "{tag}");
                let ours = tag.contains("action=\"/");
                assert_eq!(form.contains("name=\"csrf\" value=\"c5rf\""), ours, "{form}");
            }
        }
    }
}

#[test]
fn every_sample_renders_in_every_language() {
    check_spoken::<ErrorPage>();
    check_spoken::<SignInPage>();
    check_spoken::<SignedInPage>();
    check_spoken::<ConsentPage>();
    check_spoken::<SignOutPage>();
    check_spoken::<SignedOutPage>();
    check_spoken::<FormPostPage>();
    check_spoken::<DevicePage>();
    check_spoken::<DeviceConfirmPage>();
    check_spoken::<DeviceDonePage>();
    check_spoken::<AccountPage>();
    check_spoken::<PlaygroundPage>();
    check_spoken::<ApiDocsPage>();
}

fn assert_hooks<V: View>(hooks: &[&str]) {
    assert_hooks_of(V::samples(), hooks);
}

fn assert_hooks_of<V: View>(samples: Vec<V>, hooks: &[&str]) {
    for sample in samples {
        let html = sample.render().unwrap();
        for hook in hooks {
            assert_eq!(html.matches(hook).count(), 1, "{hook} in {html}");
        }
    }
}

#[test]
fn scripts_find_fields_and_buttons_by_their_hooks() {
    let (asking, elsewhere): (Vec<_>, Vec<_>) = SignInPage::samples().into_iter().partition(|page| page.passwords);
    assert_hooks_of(asking, &["name=\"username\"", "name=\"password\"", "id=\"login-submit\""]);
    assert_hooks_of(elsewhere, &["id=\"login-with-corp\"", "formaction=\"/login/corp\""]);
    assert_hooks::<ConsentPage>(&["id=\"consent-approve\"", "id=\"consent-deny\""]);
    assert_hooks::<DevicePage>(&["name=\"user_code\"", "id=\"device-submit\""]);
    assert_hooks::<DeviceConfirmPage>(&["id=\"consent-approve\"", "id=\"consent-deny\""]);
    assert_hooks::<SignOutPage>(&["id=\"logout-confirm\""]);
}

#[test]
fn what_clients_and_users_are_called_is_escaped() {
    let mut consent = ConsentPage::samples().remove(0);
    consent.client_name = HOSTILE.into();
    consent.client_host = Some(HOSTILE.into());
    consent.username = HOSTILE.into();
    consent.scopes[2].description = HOSTILE.into();
    consent.scopes[3].name = HOSTILE.into();
    consent.request = HOSTILE.into();
    let mut sign_in = SignInPage::samples().remove(1);
    sign_in.username = HOSTILE.into();
    sign_in.client_name = Some(HOSTILE.into());
    let mut account = AccountPage::samples().remove(1);
    account.apps[0].client_name = HOSTILE.into();
    account.sign_ins[1].agent = HOSTILE.into();

    check_html(&consent.render().unwrap(), Language::English);
    check_html(&sign_in.render().unwrap(), Language::English);
    check_html(&account.render().unwrap(), Language::English);
}

#[test]
fn what_is_new_is_marked_only_for_those_who_have_consented_before() {
    let [first, more] = ConsentPage::samples()[..2].to_vec().try_into().expect("two samples");

    assert_eq!(first.render().unwrap().matches("mark-new").count(), 0);
    assert_eq!(more.render().unwrap().matches("mark-new").count(), 2);
}

#[test]
fn a_consent_page_may_lead_to_the_app_that_asked() {
    let response = consent::page(&ConsentPage::samples()[2]);

    let policy = response.headers()[header::CONTENT_SECURITY_POLICY].to_str().unwrap();
    assert!(policy.contains("form-action 'self' https: com.example.app:;"), "{policy}");
}

#[test]
fn a_failed_sign_in_is_announced_and_has_a_status_of_its_own() {
    let mut page = SignInPage::samples().remove(1);
    for (fault, status) in
        [(SignInFault::Wrong, 403), (SignInFault::Throttled { seconds: 30 }, 429), (SignInFault::Expired, 400)]
    {
        page.fault = Some(fault);

        assert_eq!(sign_in::page(&page).status(), status);
        assert!(page.render().unwrap().contains("id=\"fault\" role=\"alert\""));
    }
    page.fault = Some(SignInFault::Throttled { seconds: 30 });
    assert_eq!(sign_in::page(&page).headers()[header::RETRY_AFTER], "30");
}

#[test]
fn an_answer_by_form_post_keeps_its_values() {
    let page = FormPostPage::samples().remove(0);
    let html = page.render().unwrap();

    assert!(html.contains("action=\"https://photos.example/callback\""), "{html}");
    assert!(html.contains("name=\"state\" value=\"&#34;&#62;&#60;b&#62;&#39;&#38;\""), "{html}");
    assert!(html.contains("<script src=\"/static/form_post.js?v="), "{html}");
    assert!(form_post::page(&page).headers()[header::CONTENT_SECURITY_POLICY].to_str().unwrap().contains("script-src"));
}
