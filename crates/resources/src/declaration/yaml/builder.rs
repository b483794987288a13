//! Builds the tree from the events of the parser, on a stack of its own: depth costs no call stack.

use std::collections::HashMap;

use saphyr_parser::{Event, ScalarStyle};

use super::{DEEPEST, Entry, Mark, Node, Tree, fault, scalar, short};
use crate::declaration::report::Report;

/// What is being built, outermost first.
#[derive(Default)]
pub(super) struct Builder {
    frames: Vec<Frame>,
    root: Option<Node>,
    documents: usize,
}

/// A list or a map that has not ended yet.
enum Frame {
    List { mark: Mark, nodes: Vec<Node> },
    Map { mark: Mark, entries: Vec<Entry>, key: Option<Key>, lines: HashMap<String, usize> },
}

/// The key of the value that comes next.
struct Key {
    name: String,
    mark: Mark,
    is_repeated: bool,
}

impl Builder {
    /// Takes the next event. None: what follows cannot be told apart any more.
    pub(super) fn take(&mut self, event: Event<'_>, mark: Mark, report: &mut Report) -> Option<()> {
        match event {
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => {}
            Event::DocumentStart(_) => {
                self.documents += 1;
                if self.documents > 1 {
                    return self.stop(mark, "A declaration is one document. Remove what follows this `---`.", report);
                }
            }
            Event::Alias(_) => {
                let message = "Aliases (`*name`) are not read. Write the value again where it is needed.";
                if self.awaits_key() {
                    return self.stop(mark, message, report);
                }
                self.tell(mark, message.to_owned(), report);
                self.put(Node { tree: Tree::Unreadable, mark });
            }
            Event::Scalar(text, style, _, tag) => {
                if self.awaits_key() {
                    return self.begin_entry(&text, mark, report);
                }
                let tree = if tag.is_some() {
                    self.tell(mark, TAGGED.to_owned(), report);
                    Tree::Unreadable
                } else if style == ScalarStyle::Plain {
                    scalar::plain(&text).unwrap_or_else(|why| {
                        self.tell(mark, why.to_owned(), report);
                        Tree::Unreadable
                    })
                } else {
                    Tree::Text(text.into_owned())
                };
                self.put(Node { tree, mark });
            }
            Event::SequenceStart(_, tag) => {
                self.open(Frame::List { mark, nodes: Vec::new() }, tag.is_some(), report)?;
            }
            Event::MappingStart(_, tag) => {
                let frame = Frame::Map { mark, entries: Vec::new(), key: None, lines: HashMap::new() };
                self.open(frame, tag.is_some(), report)?;
            }
            Event::SequenceEnd | Event::MappingEnd => match self.frames.pop() {
                Some(Frame::List { mark, nodes }) => self.put(Node { tree: Tree::List(nodes), mark }),
                Some(Frame::Map { mark, entries, .. }) => self.put(Node { tree: Tree::Map(entries), mark }),
                None => {}
            },
        }
        Some(())
    }

    /// The whole tree, if there was anything.
    pub(super) fn finish(self) -> Option<Node> {
        self.root
    }

    fn open(&mut self, frame: Frame, is_tagged: bool, report: &mut Report) -> Option<()> {
        let (Frame::List { mark, .. } | Frame::Map { mark, .. }) = &frame;
        if self.awaits_key() {
            return self.stop(*mark, "A key must be a word, not a list or a map.", report);
        }
        if self.frames.len() == DEEPEST {
            return self.stop(*mark, "Lists and maps stand in each other more than 64 deep.", report);
        }
        if is_tagged {
            self.tell(*mark, TAGGED.to_owned(), report);
        }
        self.frames.push(frame);
        Some(())
    }

    fn awaits_key(&self) -> bool {
        matches!(self.frames.last(), Some(Frame::Map { key: None, .. }))
    }

    fn begin_entry(&mut self, text: &str, mark: Mark, report: &mut Report) -> Option<()> {
        if text.is_empty() {
            return self.stop(mark, "A key is missing before this colon.", report);
        }
        let Some(Frame::Map { key, lines, .. }) = self.frames.last_mut() else { return Some(()) };
        let first = lines.get(text).copied();
        *key = Some(Key { name: text.to_owned(), mark, is_repeated: first.is_some() });
        if let Some(first) = first {
            let message = format!("`{}` stands here twice; it is on line {first} already. Keep one.", short(text));
            self.tell(mark, message, report);
        } else {
            lines.insert(text.to_owned(), mark.line);
        }
        Some(())
    }

    /// Puts a finished value where it belongs. Of a key that stands twice, the first counts.
    fn put(&mut self, value: Node) {
        match self.frames.last_mut() {
            Some(Frame::List { nodes, .. }) => nodes.push(value),
            Some(Frame::Map { entries, key, .. }) => {
                if let Some(Key { name, mark, is_repeated: false }) = key.take() {
                    entries.push(Entry { key: name, mark, value });
                }
            }
            None => self.root = Some(value),
        }
    }

    fn tell(&self, mark: Mark, message: String, report: &mut Report) {
        let mut fault = fault(mark, message);
        fault.path = self.path();
        report.fault(fault);
    }

    fn stop(&self, mark: Mark, message: &str, report: &mut Report) -> Option<()> {
        self.tell(mark, message.to_owned(), report);
        None
    }

    fn path(&self) -> String {
        let mut path = String::new();
        for frame in &self.frames {
            match frame {
                Frame::List { nodes, .. } => path.push_str(&format!("[{}]", nodes.len())),
                Frame::Map { key: Some(key), .. } => {
                    path.push_str(if path.is_empty() { "" } else { "." });
                    path.push_str(&short(&key.name));
                }
                Frame::Map { key: None, .. } => {}
            }
        }
        path
    }
}

const TAGGED: &str = "Tags (`!!str`) are not read. Put a text into quotes instead.";
