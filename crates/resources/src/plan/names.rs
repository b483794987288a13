//! `fields=` and `include=`: names that must be declared.

use valetkey_rest::FieldCode;

use super::Refused;
use super::refused::one_of;
use crate::service::Served;

/// Are these fields? `id` and `links` are, in every resource.
pub fn check_fields(served: &Served, fields: Option<&[String]>, refused: &mut Refused) {
    for name in fields.unwrap_or_default() {
        if name != "id" && name != "links" && served.face.field(name).is_none() {
            let known = served.face.fields.iter().map(|field| field.name.as_str());
            let told = format!("`{name}` is no field. {}", one_of(name, ["id", "links"].into_iter().chain(known)));
            refused.add("fields", FieldCode::InvalidValue, told);
        }
    }
}

/// Are these relations?
pub fn check_include(served: &Served, include: &[String], refused: &mut Refused) {
    for name in include {
        if served.relation(name).is_none() {
            let known = served.face.fields.iter().filter_map(|field| Some(field.references.as_ref()?.name.as_str()));
            refused.add(
                "include",
                FieldCode::InvalidValue,
                format!("`{name}` is no relation. {}", one_of(name, known)),
            );
        }
    }
}
