//! What every engine must do, races included. An engine's test calls [`conformance!`](crate::conformance!) once.

pub mod alerts;
pub mod api_keys;
pub mod clients;
pub mod consents;
pub mod deliveries;
pub mod devices;
pub mod flows;
pub mod keys;
pub mod links;
pub mod resources;
pub mod retries;
pub mod revocations;
pub mod schedules;
pub mod sessions;
pub mod sign_ins;
pub mod sweeping;
pub mod users;

/// Makes one test per rule. `$open` is an expression that gives `Option<(Ports, guard)>`: a fresh, empty store, or
/// `None` where the engine is not there (which the expression has said).
#[macro_export]
macro_rules! conformance {
    ($open:expr) => {
        $crate::conformance!(@each $open;
            clients: a_registered_client_is_found_again, an_id_is_taken_once, registration_has_one_winner,
                a_new_secret_lets_the_old_ones_end, of_secrets_added_at_once_one_has_no_end,
                an_id_that_nobody_can_have_is_unknown, an_update_keeps_the_secrets, a_removed_client_takes_all_along,
                what_begins_beside_a_removal_goes_with_it,
                an_origin_names_the_clients_that_registered_it;
            api_keys: an_added_key_is_found_by_its_secret, a_rotated_key_has_both_secrets_for_a_while,
                a_secret_that_has_ended_goes_with_the_next_rotation, of_keys_rotated_at_once_one_secret_has_no_end,
                a_revoked_key_stays_on_record_and_is_not_renewed, the_last_use_is_the_latest_that_was_noted;
            users: an_added_user_is_found_again, a_name_is_taken_without_regard_to_case, addition_has_one_winner,
                a_name_that_nobody_can_have_is_unknown, of_new_passwords_at_once_one_stays,
                a_new_password_ends_the_other_sign_ins_and_gives_this_one_a_new_cookie,
                a_password_from_an_operator_ends_every_sign_in_of_that_person,
                a_password_change_that_is_overtaken_changes_nothing, no_sign_in_with_the_old_password_outlives_it,
                people_are_listed_by_name_a_few_at_a_time, a_change_keeps_the_name_and_the_password,
                a_removed_user_is_gone;
            links: a_link_is_found_by_its_person_and_by_its_account, one_person_there_has_one_account,
                an_account_is_one_person_at_each_issuer, linking_has_one_winner, nothing_is_linked_to_nobody,
                an_account_comes_with_its_link_or_not_at_all, admission_has_one_winner,
                a_link_remembers_its_last_use_and_brings_what_is_new, the_last_way_in_stays,
                of_the_last_two_ways_removed_at_once_one_stays, an_answer_is_used_once,
                of_many_who_use_one_answer_one_does, accounts_are_found_by_their_address,
                a_removed_account_takes_its_links_along;
            sessions: an_opened_session_is_found_again, a_second_opening_ends_the_session, opening_has_one_winner,
                rotation_counts_up, rotation_has_one_winner, what_happens_to_one_session_is_nothing_to_the_others, a_reused_generation_ends_the_session,
                reuse_is_detected_at_any_age, a_generation_never_issued_is_unknown, an_expired_session_does_not_rotate_but_ends,
                an_ended_session_stays_ended, ending_has_one_winner, what_ends_at_once_is_filed_once,
                of_sessions_that_end_together_those_that_live_are_filed,
                lists_are_newest_first_and_filtered, nothing_begins_on_grounds_that_are_gone,
                nothing_begins_that_goes_beyond_its_consent;
            retries: the_same_key_gets_the_same_answer, another_key_is_a_reuse, an_answer_is_kept_for_its_time_only,
                racing_twins_with_one_key_rotate_once_and_nobody_is_a_thief,
                within_the_window_the_last_one_again_is_a_retry, the_window_is_closed_once_the_successor_was_used,
                an_idle_session_does_not_rotate_but_ends, without_voiding_a_token_works_again_and_again,
                a_code_again_under_its_key_gets_the_same_answer, a_code_again_without_its_key_is_a_replay,
                racing_twins_with_one_key_open_once_and_nobody_is_a_thief,
                nothing_is_kept_of_an_opening_without_grounds, a_poll_again_under_its_key_gets_the_same_answer,
                racing_polls_with_one_key_are_let_in_once_and_nobody_is_a_thief,
                who_is_let_in_before_there_is_an_answer_waits_for_the_next_poll;
            flows: what_happens_is_what_the_model_says;
            schedules: callers_at_once_see_what_callers_in_turn_could_see;
            consents: what_was_agreed_adds_up, what_begins_beside_a_withdrawal_ends_with_it, two_who_agree_at_once_lose_nothing,
                a_withdrawn_consent_ends_what_stood_on_it,
                a_withdrawn_consent_ends_many_sessions_and_what_is_left_without_one, a_removed_client_takes_its_consents_along;
            devices: a_waiting_device_is_found_by_its_code_until_its_end, a_user_code_is_taken_once,
                asking_with_one_code_has_one_winner, one_address_has_so_many_waiting_and_no_more,
                an_approved_device_gets_the_session_of_its_number, of_many_polls_one_is_let_in,
                devices_that_poll_at_once_are_each_told_their_own,
                a_poll_after_redemption_ends_the_session_at_any_age, who_polls_too_fast_waits_longer_each_time,
                a_poll_that_is_too_fast_is_never_let_in, a_denied_device_stays_denied, a_decision_has_one_winner,
                nothing_happens_to_a_device_after_its_end, a_withdrawn_consent_takes_back_what_was_not_redeemed,
                a_removed_client_takes_its_devices_along, a_device_gets_what_was_given_and_not_what_it_asked_for;
            sign_ins: a_sign_in_is_found_by_its_cookie_until_its_end,
                a_renewed_sign_in_has_a_new_cookie_and_keeps_its_name,
                a_password_that_is_no_longer_the_users_begins_and_renews_nothing,
                a_sign_in_of_someone_else_is_not_renewed, an_ended_sign_in_is_gone_and_the_others_stay,
                a_sign_in_remembers_when_it_was_last_seen, a_sign_in_takes_sessions_along_once, leaving_has_one_winner,
                a_sign_out_of_many_sessions_ends_all_of_them,
                a_sign_in_is_found_by_its_id_if_it_is_the_users_own;
            revocations: a_recorded_revocation_is_in_the_feed, the_feed_goes_on_where_it_stopped,
                the_feed_misses_nothing_under_concurrent_writers, the_store_knows_what_is_revoked, of_many_tokens_asked_about_at_once_those_revoked_are_told,
                an_expired_revocation_is_not_fed;
            alerts: a_filed_alert_is_listed_as_it_was, an_alert_brings_its_messages_along,
                what_is_known_is_neither_filed_nor_sent_again, of_many_who_raise_one_alert_one_files_it,
                alerts_are_listed_newest_first_and_filtered, an_alert_that_was_kept_long_enough_goes;
            deliveries: a_posted_message_comes_out_as_it_went_in, a_message_is_posted_once,
                of_many_who_look_at_once_one_gets_each_message,
                a_message_of_one_who_never_came_back_is_handed_out_again, a_closed_message_is_gone,
                a_postponed_message_is_due_at_its_new_time,
                no_more_are_handed_out_than_asked_and_the_longest_due_come_first,
                a_message_whose_time_is_over_is_not_handed_out;
            keys: keys_come_back_in_order, a_generation_is_made_once, a_removed_key_is_gone;
            sweeping: only_expired_rows_go, a_sweep_takes_no_more_than_asked, the_store_answers;
        );
    };
    (@each $open:expr; $($room:ident: $($rule:ident),+;)+) => {
        $(mod $room {
            #[allow(unused_imports)]
            use super::*;
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
            async fn $rule() {
                if let Some((ports, _guard)) = $open {
                    $crate::conformance::$room::$rule(ports).await;
                }
            })+
        })+
    };
}

/// Starts `count` tasks at once and gathers what they answer.
pub(crate) async fn race<T, F>(count: usize, make: impl Fn(usize) -> F) -> Vec<T>
where
    T: Send + 'static,
    F: Future<Output = T> + Send + 'static,
{
    let gate = std::sync::Arc::new(tokio::sync::Barrier::new(count));
    let tasks: Vec<_> = (0..count)
        .map(|number| {
            let (gate, task) = (gate.clone(), make(number));
            tokio::spawn(async move {
                gate.wait().await;
                task.await
            })
        })
        .collect();
    let mut answers = Vec::with_capacity(count);
    for task in tasks {
        answers.push(task.await.unwrap());
    }
    answers
}
