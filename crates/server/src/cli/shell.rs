//! Completions and the manual page, made from the same description as the help texts.

use std::io;
use std::process::ExitCode;

use clap::Command;
use clap_complete::{Shell, generate};
use clap_mangen::Man;

use super::output;

pub(super) fn completions(shell: Shell, mut command: Command) -> io::Result<ExitCode> {
    let mut script = Vec::new();
    generate(shell, &mut command, "valetkey", &mut script);
    output::write(&script)?;
    Ok(ExitCode::SUCCESS)
}

pub(super) fn man(command: Command) -> io::Result<ExitCode> {
    let mut page = Vec::new();
    Man::new(command).render(&mut page)?;
    output::write(&page)?;
    Ok(ExitCode::SUCCESS)
}
