//! C code that crates carry along and build into the binary. No lock file names it, and its flaws are ours as well.

use std::path::Path;

use anyhow::Context;
use serde_json::{Value, json};

use super::graph::Package;

/// A library in C, and where its version stands in the crate that carries it.
struct Carried {
    by: &'static str,
    name: &'static str,
    /// None: what the crate says of itself holds for it.
    licence: Option<&'static str>,
    cpe: &'static str,
    header: fn(&Package) -> &'static str,
    define: &'static str,
}

const CARRIED: [Carried; 3] = [
    Carried {
        by: "aws-lc-sys",
        name: "aws-lc",
        licence: None,
        cpe: "amazon:aws-lc",
        header: |_| "aws-lc/include/openssl/base.h",
        define: "AWSLC_VERSION_NUMBER_STRING",
    },
    Carried {
        by: "libsqlite3-sys",
        name: "sqlite",
        licence: Some("blessing"),
        cpe: "sqlite:sqlite",
        header: |_| "sqlite3/sqlite3.h",
        define: "SQLITE_VERSION",
    },
    Carried {
        by: "libmimalloc-sys",
        name: "mimalloc",
        licence: Some("MIT"),
        cpe: "microsoft:mimalloc",
        // The crate carries two generations, and builds the one that its features choose.
        header: |package| match package.features.iter().any(|feature| feature == "v2") {
            true => "c_src/mimalloc/v2/include/mimalloc.h",
            false => "c_src/mimalloc/v3/include/mimalloc.h",
        },
        define: "MI_MALLOC_VERSION",
    },
];

/// C code of a certain version.
pub(super) struct Code {
    carried: &'static Carried,
    version: String,
    licence: String,
}

impl Code {
    pub(super) fn reference(&self) -> String {
        format!("pkg:generic/{}@{}", self.carried.name, self.version)
    }

    pub(super) fn component(&self) -> Value {
        json!({
            "type": "library",
            "bom-ref": self.reference(),
            "name": self.carried.name,
            "version": self.version,
            "purl": self.reference(),
            "cpe": format!("cpe:2.3:a:{}:{}:*:*:*:*:*:*:*", self.carried.cpe, self.version),
            "scope": "required",
            "description": format!("C code that {} carries and builds", self.carried.by),
            "licenses": [{ "expression": self.licence }],
        })
    }
}

/// What a package carries. A header that is not where it was is an error: to leave it out would be to deny it.
pub(super) fn inside(package: &Package) -> anyhow::Result<Vec<Code>> {
    let folder = Path::new(&package.manifest).parent().unwrap_or(Path::new("."));
    CARRIED
        .iter()
        .filter(|carried| carried.by == package.name)
        .map(|carried| {
            let header = folder.join((carried.header)(package));
            let text =
                std::fs::read_to_string(&header).with_context(|| format!("{} cannot be read", header.display()))?;
            let version = version(&text, carried.define)
                .with_context(|| format!("{} does not define {}", header.display(), carried.define))?;
            let licence = carried.licence.map(str::to_owned).or_else(|| package.licence());
            Ok(Code { carried, version, licence: licence.unwrap_or_else(|| "NOASSERTION".to_owned()) })
        })
        .collect()
}

/// `"3.54.1"` as it stands, and `30302` as the digits mean: 3.3.2.
pub(super) fn version(header: &str, define: &str) -> Option<String> {
    let mut words = header.lines().find_map(|line| {
        let mut words = line.split_whitespace();
        (words.next() == Some("#define") && words.next() == Some(define)).then_some(words)
    })?;
    let word = words.next()?;
    if let Some(quoted) = word.strip_prefix('"') {
        return quoted.strip_suffix('"').map(str::to_owned);
    }
    let number: u32 = word.parse().ok()?;
    Some(format!("{}.{}.{}", number / 10_000, number / 100 % 100, number % 100))
}
