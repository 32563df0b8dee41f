//! The table of commands. Keyboard, command palette and help sheet are all made
//! from it; there is no other list of keys.

use super::align;
use super::areas::next_area;
use super::clipboard;
use super::{gallery, help, palette};
use crate::canvas::intent::Intent;
use crate::canvas::scene::Direction::{Down, Left, Right, Up};
use crate::diagram::picture;
use crate::page::{Group, Page, Place, command};
use crate::panels::find;
use crate::panels::toolbar::new_scenario;
use crate::panels::tour;
use crate::panels::{save_picture, video};
use crate::session::{Drawer, Part, View};
use crate::worker::Format;

/// Runs a command that always has something to do.
fn always(act: impl FnOnce()) -> bool {
    act();
    true
}

/// All commands, in the order of the help sheet.
pub static GROUPS: &[Group] = &[
    Group {
        title: "Document",
        commands: &[
            command("new", "New document", "", Place::Page, |p| {
                always(|| p.files.new_document(p.session))
            }),
            command("open", "Open a file…", "Ctrl+O", Place::Page, |p| {
                always(|| p.files.open(p.session))
            }),
            command("examples", "Examples", "", Place::Page, gallery::open),
            command("save", "Save to a file", "Ctrl+S", Place::Page, |p| {
                always(|| p.files.save(p.session, false))
            }),
            command(
                "save-as",
                "Save to another file…",
                "Ctrl+Shift+S",
                Place::Page,
                |p| always(|| p.files.save(p.session, true)),
            ),
            command(
                "documents",
                "Documents in this browser",
                "Ctrl+Shift+O",
                Place::Page,
                |p| always(|| p.session.desk.show_drawer(Drawer::Documents)),
            ),
            command("share", "Share a link", "", Place::Page, |p| {
                always(|| p.session.desk.show_drawer(Drawer::Share))
            }),
            command(
                "history",
                "History and restore points",
                "Ctrl+Shift+H",
                Place::Page,
                |p| always(|| p.session.desk.show_drawer(Drawer::History)),
            ),
            command("json", "Export as JSON", "", Place::Page, |p| {
                always(|| p.files.export(p.session, Format::Json))
            }),
            command("hddl", "Export as HDDL", "", Place::Page, |p| {
                always(|| p.files.export(p.session, Format::Hddl))
            }),
            command("pddl", "Export as PDDL", "", Place::Page, |p| {
                always(|| p.files.export(p.session, Format::Pddl))
            }),
            command("csharp", "Export as a C# agent", "", Place::Page, |p| {
                always(|| p.files.export(p.session, Format::CSharp))
            }),
            command("svg", "Export the diagram as SVG", "", Place::Page, |p| {
                always(|| picture::export(p.session, picture::Kind::Svg))
            }),
            command("png", "Export the diagram as PNG", "", Place::Page, |p| {
                always(|| picture::export(p.session, picture::Kind::Png))
            }),
            command(
                "stage-svg",
                "Export the Stage as SVG",
                "",
                Place::Page,
                |p| always(|| save_picture(p.session, picture::Kind::Svg)),
            ),
            command(
                "stage-png",
                "Export the Stage as PNG",
                "",
                Place::Page,
                |p| always(|| save_picture(p.session, picture::Kind::Png)),
            ),
            command(
                "video",
                "Export the run as a video…",
                "",
                Place::Page,
                video::open,
            ),
            command("print", "Print the diagram", "Ctrl+P", Place::Page, |_| {
                always(picture::print)
            }),
            command("new-scenario", "New scenario", "", Place::Page, |p| {
                always(|| new_scenario(p.session))
            }),
            command("undo", "Undo", "Ctrl+Z", Place::Page, |p| {
                always(|| p.session.undo())
            }),
            command("redo", "Redo", "Ctrl+Y Ctrl+Shift+Z", Place::Page, |p| {
                always(|| p.session.redo())
            }),
        ],
    },
    Group {
        title: "Navigation",
        commands: &[
            command(
                "palette",
                "Command palette",
                "Ctrl+K",
                Place::Page,
                palette::open,
            ),
            command(
                "find",
                "Find and replace",
                "Ctrl+F",
                Place::Page,
                find::open,
            ),
            command(
                "help",
                "Help: first steps, pages, keyboard shortcuts",
                "? F1",
                Place::Page,
                help::open,
            ),
            command("open-help", "Open the help", "", Place::Page, |_| {
                help::open_pages()
            }),
            command("tour", "Take the tour", "", Place::Page, tour::start),
            command(
                "guide",
                "Show the start card of this example",
                "",
                Place::Page,
                |p| always(|| p.show_guide()),
            ),
            command(
                "theme",
                "Theme: light, dark or system",
                "",
                Place::Page,
                |p| always(|| p.theme.next()),
            ),
            command(
                "next-area",
                "Next part of the page",
                "F6",
                Place::Page,
                |_| next_area(1),
            ),
            command(
                "previous-area",
                "Previous part of the page",
                "Shift+F6",
                Place::Page,
                |_| next_area(-1),
            ),
        ],
    },
    Group {
        title: "Blocks and wires",
        commands: &[
            command(
                "add",
                "Add a block or card",
                "Shift+A",
                Place::Canvas,
                |p| p.perform(Intent::Add),
            ),
            command(
                "connect",
                "Connect the block or port",
                "W",
                Place::Canvas,
                |p| p.perform(Intent::Connections(None)),
            ),
            command(
                "rename",
                "Rename or edit the text",
                "F2",
                Place::Page,
                Page::rename,
            ),
            command(
                "delete",
                "Delete the selection",
                "Del Backspace",
                Place::Canvas,
                |p| p.perform(Intent::Delete),
            ),
            command("cut", "Cut", "", Place::Page, |p| {
                clipboard::copy(p.session, true)
            }),
            command("copy", "Copy", "", Place::Page, |p| {
                clipboard::copy(p.session, false)
            }),
            command("paste", "Paste", "", Place::Page, |p| {
                always(|| clipboard::paste(p.session))
            }),
            command("duplicate", "Duplicate", "Ctrl+D", Place::Page, |p| {
                clipboard::duplicate(p.session)
            }),
            command("uses", "Find uses of the record", "", Place::Page, |p| {
                p.session.show_uses()
            }),
            command(
                "menu",
                "Menu of the selection",
                "Shift+F10 Menu",
                Place::Canvas,
                |p| p.perform(Intent::CommandsOfSelection),
            ),
            command(
                "why",
                "Explain why the block is in the plan",
                "Y",
                Place::Method,
                |p| p.perform(Intent::Why),
            ),
            command("mute", "Mute or unmute", "M", Place::Method, |p| {
                p.perform(Intent::Mute)
            }),
            command(
                "collapse",
                "Collapse or expand",
                "Alt+C",
                Place::Canvas,
                |p| p.perform(Intent::Collapse),
            ),
            command("bend", "Bend the wire", "B", Place::Method, |p| {
                p.perform(Intent::Bend(None))
            }),
            command("frame", "Frame, or add a note", "C", Place::Canvas, |p| {
                p.perform(Intent::Frame)
            }),
            command(
                "extract",
                "Extract a compound task",
                "Ctrl+Shift+E",
                Place::Method,
                |p| p.perform(Intent::Extract),
            ),
            command(
                "inline",
                "Inline the called task",
                "Alt+Shift+E",
                Place::Method,
                |p| p.perform(Intent::Inline),
            ),
        ],
    },
    Group {
        title: "Move the selection",
        commands: &[
            command("nudge-left", "Move left", "Left", Place::Canvas, |p| {
                p.perform(Intent::Arrow(Left, false))
            }),
            command("nudge-right", "Move right", "Right", Place::Canvas, |p| {
                p.perform(Intent::Arrow(Right, false))
            }),
            command("nudge-up", "Move up", "Up", Place::Canvas, |p| {
                p.perform(Intent::Arrow(Up, false))
            }),
            command("nudge-down", "Move down", "Down", Place::Canvas, |p| {
                p.perform(Intent::Arrow(Down, false))
            }),
            command(
                "push-left",
                "Move far left",
                "Shift+Left",
                Place::Canvas,
                |p| p.perform(Intent::Arrow(Left, true)),
            ),
            command(
                "push-right",
                "Move far right",
                "Shift+Right",
                Place::Canvas,
                |p| p.perform(Intent::Arrow(Right, true)),
            ),
            command("push-up", "Move far up", "Shift+Up", Place::Canvas, |p| {
                p.perform(Intent::Arrow(Up, true))
            }),
            command(
                "push-down",
                "Move far down",
                "Shift+Down",
                Place::Canvas,
                |p| p.perform(Intent::Arrow(Down, true)),
            ),
        ],
    },
    Group {
        title: "Selection and focus",
        commands: &[
            command("select-all", "Select all", "Ctrl+A", Place::Canvas, |p| {
                p.perform(Intent::SelectAll)
            }),
            command(
                "follow",
                "Select downstream",
                "Shift+S",
                Place::Canvas,
                |p| p.perform(Intent::SelectAfter),
            ),
            command("next", "Next block", "Tab", Place::Canvas, |p| {
                p.perform(Intent::Step(false))
            }),
            command(
                "previous",
                "Previous block",
                "Shift+Tab",
                Place::Canvas,
                |p| p.perform(Intent::Step(true)),
            ),
            command(
                "go-left",
                "Block to the left",
                "Ctrl+Left Alt+Left",
                Place::Canvas,
                |p| p.perform(Intent::Go(Left)),
            ),
            command(
                "go-right",
                "Block to the right",
                "Ctrl+Right Alt+Right",
                Place::Canvas,
                |p| p.perform(Intent::Go(Right)),
            ),
            command("go-up", "Block above", "Ctrl+Up", Place::Canvas, |p| {
                p.perform(Intent::Go(Up))
            }),
            command(
                "go-down",
                "Block below",
                "Ctrl+Down Alt+Down",
                Place::Canvas,
                |p| p.perform(Intent::Go(Down)),
            ),
            command(
                "next-port",
                "Next port of the block",
                "P",
                Place::Canvas,
                |p| p.perform(Intent::Port(false)),
            ),
            command(
                "previous-port",
                "Previous port of the block",
                "Shift+P",
                Place::Canvas,
                |p| p.perform(Intent::Port(true)),
            ),
            command(
                "next-wire",
                "Next wire of the block or port",
                "L",
                Place::Canvas,
                |p| p.perform(Intent::Wire(false)),
            ),
            command(
                "previous-wire",
                "Previous wire",
                "Shift+L",
                Place::Canvas,
                |p| p.perform(Intent::Wire(true)),
            ),
            command(
                "enter",
                "Open the method, text or wire",
                "Enter",
                Place::Canvas,
                |p| p.perform(Intent::Open(None)),
            ),
            command(
                "escape",
                "Cancel, deselect or leave the method",
                "Esc",
                Place::Page,
                |p| p.session.desk.folding.close_over() || p.perform(Intent::Escape),
            ),
            command("leave", "Leave the method", "Alt+Up", Place::Page, |p| {
                p.perform(Intent::Leave)
            }),
        ],
    },
    Group {
        title: "View",
        commands: &[
            command("fit", "Show all", "Home", Place::Canvas, |p| {
                p.perform(Intent::Fit)
            }),
            command(
                "fit-selection",
                "Show the selection",
                "F",
                Place::Canvas,
                |p| p.perform(Intent::FitSelection),
            ),
            command(
                "zoom-in",
                "Zoom in",
                "+ = Ctrl++ Ctrl+=",
                Place::Canvas,
                |p| p.perform(Intent::Zoom(1.25)),
            ),
            command("zoom-out", "Zoom out", "- Ctrl+-", Place::Canvas, |p| {
                p.perform(Intent::Zoom(0.8))
            }),
            command(
                "minimap",
                "Show or hide the minimap",
                "Alt+M",
                Place::Page,
                |p| p.perform(Intent::Minimap),
            ),
            command(
                "actual-size",
                "Zoom to 100 %",
                "Ctrl+0",
                Place::Canvas,
                |p| p.perform(Intent::ActualSize),
            ),
            command(
                "tidy-method",
                "Tidy the method, or the selected blocks",
                "Shift+T",
                Place::Method,
                |p| p.perform(Intent::Tidy),
            ),
            command(
                "place",
                "Place the unplaced blocks",
                "",
                Place::Method,
                |p| p.perform(Intent::Place),
            ),
            command(
                "tidy-board",
                "Tidy the Board: return the cards to their columns",
                "",
                Place::Board,
                |p| p.perform(Intent::Tidy),
            ),
            command(
                "fold-column",
                "Fold the column of the selected card",
                "Alt+Shift+C",
                Place::Board,
                |p| p.perform(Intent::FoldColumn),
            ),
            command(
                "unfold-columns",
                "Unfold all columns",
                "Alt+Shift+U",
                Place::Board,
                |p| p.perform(Intent::UnfoldColumns),
            ),
            command("stage", "Go to the Stage", "", Place::Page, |p| {
                p.show_view(View::Stage)
            }),
            command("board", "Go to the Board", "", Place::Page, |p| {
                p.show_view(View::Board)
            }),
            command("scenarios", "Go to the scenarios", "", Place::Page, |p| {
                p.show_view(View::Scenarios)
            }),
            command(
                "fold-outline",
                "Show or hide the outline",
                "Ctrl+B",
                Place::Page,
                |p| always(|| p.session.desk.folding.toggle(Part::Outline)),
            ),
            command(
                "fold-inspector",
                "Show or hide the inspector",
                "Ctrl+Alt+B",
                Place::Page,
                |p| always(|| p.session.desk.folding.toggle(Part::Inspector)),
            ),
            command(
                "fold-panel",
                "Show or hide the simulation panel",
                "Ctrl+J",
                Place::Page,
                |p| always(|| p.session.desk.folding.toggle(Part::Panel)),
            ),
            command(
                "focus-mode",
                "Focus mode: only the main view",
                "Ctrl+.",
                Place::Page,
                |p| always(|| p.session.desk.folding.toggle_focus()),
            ),
        ],
    },
    align::GROUP,
    Group {
        title: "Plan",
        commands: &[
            command("step", "Next step of the plan", ".", Place::Page, |p| {
                always(|| p.session.move_cursor(1))
            }),
            command(
                "step-back",
                "Previous step of the plan",
                ",",
                Place::Page,
                |p| always(|| p.session.move_cursor(-1)),
            ),
            command("stop", "Stop planning", "", Place::Page, |p| {
                always(|| p.session.plan.client().stop())
            }),
            command(
                "continue",
                "New scenario from the shown tick",
                "",
                Place::Page,
                |p| p.session.continue_from_here(),
            ),
        ],
    },
];
