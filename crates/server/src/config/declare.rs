//! The macro behind the table of settings: one listing becomes structures, defaults and `SETTINGS`. Knows no setting.

use super::settings::Config;
use super::value::{Kind, Value};

/// One thing an operator can decide, with everything there is to know about it.
#[derive(Debug)]
pub struct Setting {
    /// Its name in `valetkey.toml`, with a dot between group and name.
    pub key: &'static str,
    /// Its name in the environment.
    pub env: &'static str,
    /// Its name on the command line, for the few that have one.
    pub flag: Option<&'static str>,
    /// What holds when nobody says anything, as it would be written.
    pub default: &'static str,
    /// What it decides, in one or two sentences.
    pub doc: &'static str,
    /// How it is written in the file.
    pub kind: Kind,
    /// Reads a value written as text and stores it.
    pub set: fn(&mut Config, &str) -> Result<(), String>,
    /// Reads a value written as a list and stores it.
    pub set_list: fn(&mut Config, &[String]) -> Result<(), String>,
    /// The present value as text; a secret shows only that it is set.
    pub get: fn(&Config) -> String,
    /// Gives a relative path its folder; does nothing to what is no path.
    pub(super) anchor: fn(&mut Config, &std::path::Path),
}

impl Setting {
    /// The group it belongs to, empty for the settings at the top of the file.
    #[must_use]
    pub fn group(&self) -> &'static str {
        self.key.split_once('.').map_or("", |(group, _)| group)
    }

    /// The setting with this key.
    #[must_use]
    pub fn find(key: &str) -> Option<&'static Setting> {
        super::settings::SETTINGS.iter().find(|setting| setting.key == key)
    }
}

/// Reads a default of the table. A test walks the whole table, so a default that cannot be read never ships.
pub(super) fn preset<T: Value>(key: &str, text: &str) -> T {
    T::parse(text).unwrap_or_else(|why| panic!("the default of `{key}` cannot be read: {why}"))
}

/// Turns the listing in `settings.rs` into `Config`, one structure per group, their defaults, and `SETTINGS`.
macro_rules! settings {
    (
        $(#[doc = $about:literal])+
        Config { $( $(#[doc = $doc:literal])+ $name:ident: $type:ty = $default:literal, $env:literal $(, $flag:literal)?; )+ }
        $(
            $(#[doc = $group_about:literal])+
            $group:ident: $Group:ident {
                $( $(#[doc = $leaf_doc:literal])+ $leaf:ident: $leaf_type:ty = $leaf_default:literal, $leaf_env:literal; )+
            }
        )+
    ) => {
        $(#[doc = $about])+
        #[derive(Debug, Clone, PartialEq)]
        pub struct Config {
            $( $(#[doc = $doc])+ pub $name: $type, )+
            $( $(#[doc = $group_about])+ pub $group: $Group, )+
            /// Other providers through which people sign in. How many there are is the operator's choice, so that they
            /// are no rows of the table.
            pub providers: Vec<super::provider::Provider>,
        }

        impl Default for Config {
            fn default() -> Self {
                Self {
                    $( $name: preset(stringify!($name), $default), )+
                    $( $group: $Group::default(), )+
                    providers: Vec::new(),
                }
            }
        }

        $(
            $(#[doc = $group_about])+
            #[derive(Debug, Clone, PartialEq)]
            pub struct $Group { $( $(#[doc = $leaf_doc])+ pub $leaf: $leaf_type, )+ }

            impl Default for $Group {
                fn default() -> Self {
                    Self { $( $leaf: preset(concat!(stringify!($group), ".", stringify!($leaf)), $leaf_default), )+ }
                }
            }
        )+

        /// Every setting there is, in the order of the reference page.
        pub static SETTINGS: &[Setting] = &[
            $( settings!(@row stringify!($name), $env, [$($flag)?], $default, concat!($($doc),+), $type, $name), )+
            $($( settings!(
                @row concat!(stringify!($group), ".", stringify!($leaf)),
                $leaf_env, [], $leaf_default, concat!($($leaf_doc),+), $leaf_type, $group.$leaf
            ), )+)+
        ];

        /// What each group is about, in the order of the reference page.
        pub(super) static GROUPS: &[(&str, &str)] = &[
            ("", concat!($($about),+).trim_ascii()),
            $( (stringify!($group), concat!($($group_about),+).trim_ascii()), )+
        ];
    };
    (@row $key:expr, $env:literal, [$($flag:literal)?], $default:literal, $doc:expr, $type:ty, $($path:ident).+) => {
        Setting {
            key: $key,
            env: $env,
            flag: settings!(@flag $($flag)?),
            default: $default,
            doc: $doc.trim_ascii(),
            kind: <$type as Value>::KIND,
            set: |config, text| { config.$($path).+ = Value::parse(text)?; Ok(()) },
            set_list: |config, items| { config.$($path).+ = Value::parse_list(items)?; Ok(()) },
            get: |config| config.$($path).+.show(),
            anchor: |config, folder| config.$($path).+.anchor(folder),
        }
    };
    (@flag) => { None };
    (@flag $flag:literal) => { Some($flag) };
}
pub(super) use settings;
