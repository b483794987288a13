//! Completions and the manual page, made from the same description as the help texts.

use std::process::ExitCode;

use clap::Command;
use clap_complete::{Shell, generate};
use clap_mangen::Man;

use super::{Failure, output};

pub(super) fn completions(shell: Shell, mut command: Command) -> Result<ExitCode, Failure> {
    let mut script = Vec::new();
    generate(shell, &mut command, "valetkey", &mut script);
    output::write(&script)?;
    Ok(ExitCode::SUCCESS)
}

pub(super) fn man(command: Command) -> Result<ExitCode, Failure> {
    let mut page = Vec::new();
    Man::new(command).render(&mut page)?;
    output::write(&page)?;
    Ok(ExitCode::SUCCESS)
}
