//! The words of each language, read once. What stands in a bundle is ours; what strangers write enters only as an argument.

use std::sync::OnceLock;

use fluent_bundle::{FluentArgs, FluentResource, concurrent::FluentBundle};
use unic_langid::LanguageIdentifier;

use super::Language;

type Bundle = FluentBundle<FluentResource>;

/// All files of a language as one.
macro_rules! words {
    ($tag:literal) => {
        concat!(
            include_str!(concat!("../../locales/", $tag, "/pages.ftl")),
            include_str!(concat!("../../locales/", $tag, "/playground.ftl")),
            include_str!(concat!("../../locales/", $tag, "/docs.ftl"))
        )
    };
}

/// The messages of a language, as they stand in its files.
pub(super) const fn source(language: Language) -> &'static str {
    match language {
        Language::English => words!("en"),
        Language::German => words!("de"),
        Language::French => words!("fr"),
        Language::Spanish => words!("es"),
    }
}

/// The text of a message. A message or an argument that is missing shows its name.
pub(super) fn format(language: Language, id: &str, args: Option<&FluentArgs<'_>>) -> String {
    let bundle = bundle(language);
    let Some(pattern) = bundle.get_message(id).and_then(|message| message.value()) else { return id.to_owned() };
    bundle.format_pattern(pattern, args, &mut Vec::new()).into_owned()
}

fn bundle(language: Language) -> &'static Bundle {
    static BUNDLES: [OnceLock<Bundle>; 4] = [const { OnceLock::new() }; 4];
    BUNDLES[language as usize].get_or_init(|| read(language))
}

fn read(language: Language) -> Bundle {
    let tag: LanguageIdentifier = language.tag().parse().unwrap_or_default();
    let mut bundle = Bundle::new_concurrent(vec![tag]);
    // Names are set off with `bdi` in HTML; invisible marks would end up in what people copy.
    bundle.set_use_isolating(false);
    // A line that does not parse is left out by fluent, and the tests find it.
    let resource = FluentResource::try_new(source(language).to_owned()).unwrap_or_else(|(resource, _)| resource);
    bundle.add_resource_overriding(resource);
    bundle
}
