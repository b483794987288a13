//! Completions and the manual page, made from the same description as the help texts.

use std::io::{self, stdout};
use std::process::ExitCode;

use clap::Command;
use clap_complete::{Shell, generate};
use clap_mangen::Man;

pub(super) fn completions(shell: Shell, mut command: Command) -> ExitCode {
    generate(shell, &mut command, "valetkey", &mut stdout());
    ExitCode::SUCCESS
}

pub(super) fn man(command: Command) -> io::Result<ExitCode> {
    Man::new(command).render(&mut stdout())?;
    Ok(ExitCode::SUCCESS)
}
