//! What a browser calls itself, in a few words that a person recognises. Guesses well and promises nothing.

use crate::Language;

/// Systems by what their browsers say, the particular before the general.
const SYSTEMS: [(&str, &str); 9] = [
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("CrOS", "ChromeOS"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("Macintosh", "macOS"),
    ("Linux", "Linux"),
    ("FreeBSD", "FreeBSD"),
];

/// Browsers by what they say. Most also name those that they want to be taken for, so the order matters.
const BROWSERS: [(&str, &str); 8] = [
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("Vivaldi/", "Vivaldi"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("Chrome/", "Chrome"),
    ("CriOS/", "Chrome"),
];

/// A few words for a `User-Agent`.
pub(crate) fn words(language: Language, agent: Option<&str>) -> String {
    let Some(agent) = agent.map(str::trim).filter(|agent| !agent.is_empty()) else {
        return language.say("account-unknown-agent");
    };
    let find =
        |table: &[(&str, &'static str)]| table.iter().find(|(mark, _)| agent.contains(mark)).map(|(_, name)| *name);
    let browser = find(&BROWSERS).or_else(|| (agent.contains("Safari/")).then_some("Safari"));
    match (browser, find(&SYSTEMS)) {
        (Some(browser), Some(system)) => language.fill("account-agent-on", &[("browser", browser), ("system", system)]),
        (Some(name), None) => name.to_owned(),
        // A program that is no browser: its own name, without the small print.
        (None, _) => agent.split([' ', '/', '(']).next().unwrap_or(agent).chars().take(40).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::words;
    use crate::Language;

    #[test]
    fn common_browsers_are_recognised() {
        let known = [
            ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Linux"),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0",
                "Edge on Windows",
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
                "Safari on iPhone",
            ),
            (
                "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36",
                "Chrome on Android",
            ),
            ("curl/8.9.1", "curl"),
            ("Television", "Television"),
        ];

        for (agent, expected) in known {
            assert_eq!(words(Language::English, Some(agent)), expected);
        }
    }

    #[test]
    fn a_silent_browser_is_unknown() {
        for agent in [None, Some(""), Some("  ")] {
            assert_eq!(words(Language::English, agent), "Unknown device");
        }
    }
}
