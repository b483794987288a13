//! `valetkey session`

use std::process::ExitCode;

use serde_json::{Value, json};
use valetkey_oauth::model::{ClientId, Session, SessionEnd, SessionId, SessionState};
use valetkey_oauth::ports::{Ending, SessionQuery};
use valetkey_oauth::sessions;

use super::arguments::SessionCommand;
use super::output::{Output, table};
use super::{Failure, open};
use crate::config::Config;

pub(super) async fn run(command: SessionCommand, config: &Config, output: Output) -> Result<ExitCode, Failure> {
    let authority = open(config).await?;
    match command {
        SessionCommand::List { subject, client, limit } => {
            let query = SessionQuery { subject, client: client.map(ClientId::new), before: None, limit };
            let found = authority.ports.sessions.list_sessions(&query).await?;
            output.print(&Value::Array(found.iter().map(description).collect()), || {
                let row = |session: &Session| {
                    vec![
                        session.id.to_string(),
                        session.subject.clone(),
                        session.client.to_string(),
                        session.scope.to_string(),
                        state(session).to_owned(),
                        format!("{:.0}", session.used_at),
                    ]
                };
                table(&["id", "subject", "client", "scope", "state", "last used"], found.iter().map(row).collect())
            })?;
            Ok(ExitCode::SUCCESS)
        }
        SessionCommand::Revoke { id } => match sessions::end(&authority, SessionId(id), SessionEnd::Operator).await? {
            Ending::Ended(session) => {
                output.print(&description(&session), || format!("Ended {id}. Its tokens are dead."))?;
                Ok(ExitCode::SUCCESS)
            }
            Ending::EndedBefore => Err(anyhow::anyhow!("session {id} was ended before").into()),
            Ending::Unknown => {
                Err(anyhow::anyhow!("there is no session {id}; `valetkey session list` shows them").into())
            }
        },
    }
}

fn description(session: &Session) -> Value {
    json!({
        "id": session.id.to_string(),
        "subject": session.subject,
        "client_id": session.client.as_str(),
        "scope": session.scope.as_str(),
        "state": state(session),
        "created_at": session.created_at.to_string(),
        "used_at": session.used_at.to_string(),
        "expires_at": session.expires_at.to_string(),
    })
}

fn state(session: &Session) -> &'static str {
    match session.state {
        SessionState::Active => "active",
        SessionState::Ended(why) => why.as_str(),
    }
}
