//! Bars on a scale of powers of ten: a server and its floor stand beside a peer that needs a hundred times as much.

use std::fmt::Write as _;

use super::html::escape;

/// One bar.
pub struct Bar {
    pub party: &'static str,
    pub value: f64,
}

const LEFT: f64 = 210.0;
const WIDTH: f64 = 700.0;
const THICK: f64 = 13.0;
const GAP: f64 = 12.0;

/// A group of bars for each work.
pub fn bars(title: &str, groups: &[(&str, Vec<Bar>)]) -> String {
    let values = || groups.iter().flat_map(|(_, bars)| bars).map(|bar| bar.value).filter(|value| *value > 0.0);
    let least = values().fold(f64::INFINITY, f64::min).log10().floor();
    let most = values().fold(1.0, f64::max).log10().ceil().max(least + 1.0);
    let place = |value: f64| ((value.max(1e-9).log10() - least) / (most - least)).clamp(0.0, 1.0) * WIDTH;
    let (mut body, mut top) = (String::new(), 6.0);
    for (name, bars) in groups {
        let _ = writeln!(
            body,
            "<text x=\"{}\" y=\"{:.0}\" text-anchor=\"end\">{}</text>",
            LEFT - 8.0,
            top + THICK - 2.0,
            escape(name)
        );
        for bar in bars {
            let (width, y) = (place(bar.value), top);
            let _ = writeln!(
                body,
                "<rect x=\"{LEFT}\" y=\"{y:.0}\" width=\"{width:.1}\" height=\"{:.0}\" fill=\"{}\"/>\
                 <text x=\"{:.1}\" y=\"{:.0}\">{} {}</text>",
                THICK - 2.0,
                colour(bar.party),
                LEFT + width + 5.0,
                y + THICK - 3.0,
                escape(bar.party),
                round(bar.value),
            );
            top += THICK;
        }
        top += GAP;
    }
    let lines = axis(least, most, top, place);
    format!(
        "<svg viewBox=\"0 0 {:.0} {:.0}\" role=\"img\" aria-label=\"{}\" font-size=\"11\" font-family=\"system-ui,sans-serif\">\n\
         {lines}{body}</svg>\n",
        LEFT + WIDTH + 170.0,
        top + 20.0,
        escape(title)
    )
}

fn axis(least: f64, most: f64, bottom: f64, place: impl Fn(f64) -> f64) -> String {
    let mut lines = String::new();
    let mut power = least;
    while power <= most {
        let (x, value) = (LEFT + place(10_f64.powf(power)), 10_f64.powf(power));
        let _ = writeln!(
            lines,
            "<line x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"0\" y2=\"{bottom:.0}\" stroke=\"#8888\" stroke-width=\".5\"/>\
             <text x=\"{x:.1}\" y=\"{:.0}\" text-anchor=\"middle\">{}</text>",
            bottom + 14.0,
            round(value)
        );
        power += 1.0;
    }
    lines
}

fn colour(party: &str) -> &'static str {
    match party {
        "valetkey" => "#3b5bdb",
        "floor" => "#868e96",
        _ => "#e8590c",
    }
}

fn round(value: f64) -> String {
    if value < 10.0 { format!("{value:.1}") } else { format!("{value:.0}") }
}
