//! What every engine must do with declared resources. An engine's test calls
//! [`resource_conformance!`](crate::resource_conformance!) once.

pub mod again;
pub mod changes;
pub mod keys;
pub mod lists;
pub mod model;
pub mod pointers;
pub mod rows;
pub mod search;
mod shop;
pub mod sizes;
pub mod tasks;
pub mod usage;
pub mod walks;

pub use shop::{Shop, answer, keyed};

/// Makes one test per rule. `$open` is an expression that gives `Option<(Ports, guard)>`: an empty store with the tables of
/// [`crate::api::shop`], or `None` where the engine is not there (which the expression has said).
#[macro_export]
macro_rules! resource_conformance {
    ($open:expr) => {
        $crate::resource_conformance!(@each $open;
            rows: what_was_made_is_found_as_it_was, what_is_out_of_sight_is_not_there, an_id_is_taken_once,
                a_unique_value_is_taken_once_and_nothing_is_no_value, racing_twins_of_a_unique_value_have_one_winner,
                rows_made_at_once_are_each_there_and_a_taken_id_harms_nobody,
                strange_and_long_texts_are_kept_and_told_apart, a_very_long_text_of_words_is_kept;
            changes: a_change_counts_and_is_found, an_edit_that_wants_nothing_leaves_no_trace,
                a_change_is_refused_by_sight_then_condition_then_edit, racing_changes_lose_nothing,
                changes_of_many_rows_at_once_are_each_decided_on_their_own_row,
                racing_conditions_have_one_winner, a_change_to_a_taken_value_changes_nothing,
                a_long_edit_of_a_row_that_stays_as_it_is_is_done_once,
                of_large_rows_no_more_are_edited_at_a_time_than_there_are_cores,
                whoever_waits_to_change_a_large_row_keeps_nobody_else_waiting,
                a_generation_never_comes_again;
            again: a_row_that_was_asked_for_is_as_the_last_change_left_it,
                a_row_that_was_asked_for_has_its_task_and_no_other,
                what_a_removal_does_to_rows_that_were_asked_for_is_seen,
                a_row_that_its_owner_asked_for_is_shown_to_nobody_else,
                readers_of_a_row_that_changes_never_go_back;
            keys: a_repeat_gets_the_answer_and_does_nothing, a_key_is_checked_before_unique_values,
                another_request_under_a_key_is_told, a_refusal_frees_the_key, a_key_is_free_after_its_time,
                keys_of_two_callers_are_two, racing_twins_make_one_row,
                requests_at_once_are_done_once_for_each_key, racing_twins_change_once,
                a_change_that_asks_for_nothing_keeps_its_answer, answers_are_swept_after_their_time,
                large_answers_are_swept_a_few_at_a_time;
            pointers: a_row_points_at_what_is_in_sight_only, a_row_may_point_at_itself,
                what_is_pointed_at_is_kept_or_takes_along_or_is_let_go, a_refusal_further_down_undoes_all,
                what_goes_along_by_another_way_refuses_nothing, a_circle_of_rows_goes_as_a_whole,
                more_rows_than_one_removal_sees_to_keep_it,
                a_row_that_goes_with_two_others_counts_once,
                rows_too_large_to_be_written_anew_keep_what_they_point_at,
                rows_too_large_to_go_along_keep_what_they_point_at, removal_asks_sight_and_condition,
                a_race_of_child_and_removal_leaves_nothing_dangling, a_race_of_change_and_removal_leaves_nothing_dangling;
            lists: filters_and_orders_are_those_of_the_model, a_walk_by_position_meets_each_row_once_in_order,
                an_offset_leaves_out_as_many_as_it_says, a_list_shows_what_is_in_sight,
                ids_are_filtered_and_changes_are_followed, a_count_goes_as_far_as_it_is_told;
            search: every_word_must_be_there, of_a_text_of_many_different_words_the_first_are_found, words_that_a_version_does_not_see_find_nothing, the_search_follows_changes, the_best_come_first_and_equals_by_id,
                a_word_beyond_all_measure_is_cut_on_both_sides;
            sizes: a_page_of_large_rows_ends_early_and_goes_on, one_row_has_room_however_large_it_is,
                rows_by_id_end_early_and_say_so, a_position_is_that_of_the_ends,
                documents_are_whole_whatever_size_the_others_have;
            walks: a_walk_meets_what_was_there_throughout_once;
            tasks: a_task_begins_and_ends_with_its_row, what_whoever_began_a_task_does_is_its_first_attempt,
                each_due_task_is_handed_to_one,
                a_task_of_one_who_never_came_back_is_handed_out_again,
                a_task_that_is_given_up_frees_its_row_and_its_key, the_answer_of_a_task_is_kept_under_its_key,
                a_task_outlives_its_row_and_is_given_up, of_an_end_and_giving_up_one_comes_first,
                only_tasks_that_ended_are_swept;
            usage: counts_of_a_day_add_up, days_are_counted_apart_and_forgotten, racing_nodes_lose_no_count;
        );
    };
    (@each $open:expr; $($room:ident: $($rule:ident),+;)+) => {
        mod resources {
            #[allow(unused_imports)]
            use super::*;
            $(mod $room {
                #[allow(unused_imports)]
                use super::*;
                $(#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
                async fn $rule() {
                    if let Some((ports, _guard)) = $open {
                        $crate::conformance::resources::$room::$rule($crate::conformance::resources::Shop::new(ports)).await;
                    }
                })+
            })+
        }
    };
}
