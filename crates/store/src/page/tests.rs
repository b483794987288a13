//! Where a page ends.

use uuid::Uuid;

use super::*;

fn row(bytes: usize) -> Shown {
    Shown { id: Uuid::nil(), task: None, document: "x".repeat(bytes) }
}

/// Puts rows of these sizes into a page: how many it shows, and whether it knows of more.
fn filled(mut page: Page, sizes: &[usize]) -> (usize, bool) {
    for bytes in sizes {
        if page.skips() {
            continue;
        }
        if !page.has_room(*bytes) {
            break;
        }
        page.add(row(*bytes));
    }
    (page.rows.len(), page.more)
}

#[test]
fn a_page_ends_at_its_limit_and_knows_of_more() {
    let window = Window::Offset { offset: 1, limit: 2 };

    assert_eq!(filled(Page::of(&window), &[1, 1, 1]), (2, false));
    assert_eq!(filled(Page::of(&window), &[1, 1, 1, 1]), (2, true));
    assert_eq!(filled(Page::of(&window), &[1]), (0, false));
}

#[test]
fn a_page_ends_where_its_documents_are_too_many_bytes() {
    let window = Window::Offset { offset: 0, limit: 100 };

    assert_eq!(filled(Page::of(&window), &[PAGE_BYTES / 2, PAGE_BYTES / 2]), (2, false));
    assert_eq!(filled(Page::of(&window), &[PAGE_BYTES / 2, PAGE_BYTES / 2, 1]), (2, true));
    assert_eq!(filled(Page::of(&window), &[PAGE_BYTES * 2, 1]), (1, true));
}

#[test]
fn what_is_left_out_takes_no_room() {
    let window = Window::Offset { offset: 1, limit: 100 };

    assert_eq!(filled(Page::of(&window), &[PAGE_BYTES, PAGE_BYTES]), (1, false));
}
