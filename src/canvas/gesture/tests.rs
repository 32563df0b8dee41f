use super::*;
use crate::canvas::scene::Slot;
use crate::canvas::scene::tests::{end, node, row, wire};

/// A canvas that obeys: it selects and pans as commanded.
struct Hand {
    scene: Scene,
    camera: Camera,
    selected: Selected,
    gesture: Gesture,
    drags: Drags,
    asked: Vec<Intent>,
}

fn keys(at: (f64, f64), keys: &str) -> Pointer {
    Pointer {
        at: Vec2::new(at.0, at.1),
        shift: keys.contains('s'),
        ctrl: keys.contains('c'),
        alt: keys.contains('a'),
    }
}

impl Hand {
    fn new() -> Self {
        Self {
            scene: row(),
            camera: Camera {
                offset: Vec2::default(),
                zoom: 1.0,
            },
            selected: Selected::default(),
            gesture: Gesture::Idle,
            drags: Drags::default(),
            asked: vec![],
        }
    }

    fn with(&mut self, act: impl FnOnce(&mut Gesture, &Context<'_>) -> Option<Intent>) {
        let scene = self.scene.clone();
        let targets = |from: &End, _: Option<&Wire>| {
            let wanted = u8::from(from.port == Slot::In);
            let others = ['A', 'B', 'C', 'D'].into_iter();
            let others = others.filter(|n| node(*n) != from.node);
            others.map(|n| end(n, wanted)).collect()
        };
        let selected = self.selected.clone();
        let context = Context {
            scene: &scene,
            camera: self.camera,
            selected: &selected,
            targets: &targets,
            inserts: &|_| true,
            drags: self.drags,
        };
        match act(&mut self.gesture, &context) {
            Some(Intent::Select(selected)) => self.selected = selected,
            Some(Intent::Pan(by)) => self.camera = self.camera.panned(by),
            other => self.asked.extend(other),
        }
    }

    fn press(&mut self, button: Button, at: (f64, f64), held: &str) -> &mut Self {
        self.with(|g, context| g.press(context, button, keys(at, held)));
        self
    }

    fn to(&mut self, at: (f64, f64), held: &str) -> &mut Self {
        self.with(|g, context| g.drag(context, keys(at, held)));
        self
    }

    fn release(&mut self, at: (f64, f64), held: &str) -> &mut Self {
        self.with(|g, context| g.release(context, keys(at, held)));
        self
    }

    fn click(&mut self, at: (f64, f64), held: &str) -> &mut Self {
        self.press(Button::Primary, at, held).release(at, held)
    }

    fn drag(&mut self, from: (f64, f64), to: (f64, f64), held: &str) -> &mut Self {
        self.press(Button::Primary, from, held)
            .to(((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0), held)
            .to(to, held)
            .release(to, held)
    }

    fn selection(&self) -> String {
        let nodes = self.selected.nodes.iter().filter_map(Node::block);
        let wires = [1, 2].map(|number| (number, wire(number)));
        let wires = wires.into_iter();
        let wires = wires.filter(|(_, wire)| self.selected.wires.contains(wire));
        let wires = wires.map(|(number, _)| number.to_string());
        nodes.map(|id| id.to_string()).chain(wires).collect()
    }
}

const A: (f64, f64) = (50.0, 20.0);
const B: (f64, f64) = (250.0, 20.0);
const C: (f64, f64) = (450.0, 20.0);
const D: (f64, f64) = (250.0, 220.0);
const NOWHERE: (f64, f64) = (50.0, 400.0);

#[test]
fn click_selects_shift_adds_and_ctrl_toggles() {
    let mut hand = Hand::new();
    assert_eq!(hand.click(A, "").selection(), "A");
    assert_eq!(hand.click(B, "").selection(), "B");
    assert_eq!(hand.click(A, "s").selection(), "AB");
    assert_eq!(hand.click(A, "c").selection(), "B");
    assert_eq!(hand.click(A, "c").selection(), "AB");
    assert_eq!(hand.click(B, "").selection(), "B", "one of several");
    assert_eq!(hand.click(NOWHERE, "s").selection(), "B");
    assert_eq!(hand.click(NOWHERE, "").selection(), "");
    assert_eq!(hand.click((150.0, 22.0), "").selection(), "1", "a wire");
    assert!(hand.asked.is_empty(), "selecting asks for no change");
}

#[test]
fn marquee_selects_nodes_or_else_wires() {
    let mut hand = Hand::new();
    assert_eq!(
        hand.drag((-20.0, -20.0), (260.0, 60.0), "").selection(),
        "AB"
    );
    assert_eq!(
        hand.drag((390.0, -20.0), (430.0, 60.0), "s").selection(),
        "ABC"
    );
    assert_eq!(
        hand.drag((-20.0, -20.0), (260.0, 60.0), "c").selection(),
        "C"
    );
    assert_eq!(
        hand.drag((140.0, -20.0), (160.0, 60.0), "").selection(),
        "1"
    );
}

#[test]
fn dragging_moves_the_selection_on_the_grid_in_one_edit() {
    let mut hand = Hand::new();
    hand.click(A, "").click(B, "s").drag(A, (74.0, 51.0), "");
    assert_eq!(
        hand.asked,
        [Intent::Move {
            nodes: [node('A'), node('B')].into(),
            by: Vec2::new(20.0, 30.0),
            onto: None
        }]
    );
}

#[test]
fn dragging_an_unselected_node_moves_it_alone() {
    let mut hand = Hand::new();
    hand.click(A, "").drag(C, (450.0, 120.0), "");
    assert_eq!(hand.selection(), "C");
    assert!(
        matches!(&hand.asked[..], [Intent::Move { nodes, .. }] if *nodes == [node('C')].into())
    );
}

#[test]
fn shift_drags_everything_downstream() {
    let mut hand = Hand::new();
    hand.drag(B, (250.0, 70.0), "s");
    assert!(
        matches!(&hand.asked[..], [Intent::Move { nodes, .. }] if *nodes == [node('B'), node('C')].into())
    );
}

#[test]
fn returned_and_cancelled_drags_change_nothing() {
    let mut hand = Hand::new();
    hand.press(Button::Primary, A, "")
        .to((90.0, 90.0), "")
        .to(A, "")
        .release(A, "");
    hand.press(Button::Primary, A, "").to((90.0, 90.0), "");
    assert!(hand.gesture.cancel());
    hand.release((90.0, 90.0), "");
    assert!(!hand.gesture.cancel());
    assert!(hand.asked.is_empty());
}

#[test]
fn dropping_an_unwired_block_on_a_wire_inserts_it_unless_alt_is_held() {
    let mut hand = Hand::new();
    hand.drag(D, (350.0, 20.0), "");
    hand.drag(D, (350.0, 20.0), "a");
    hand.drag(C, (150.0, 20.0), "");
    let onto: Vec<_> = hand
        .asked
        .iter()
        .map(|intent| match intent {
            Intent::Move { onto, .. } => onto.clone(),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(onto, [Some(wire(2)), None, None]);
}

#[test]
fn wires_start_at_either_port_and_end_anywhere_on_a_block() {
    let mut hand = Hand::new();
    hand.drag((300.0, 20.0), (196.0, 222.0), "");
    hand.drag((200.0, 220.0), (303.0, 22.0), "");
    hand.drag((300.0, 20.0), D, "");
    let connect = Intent::Connect {
        from: end('B', 1),
        to: end('D', 0),
        instead_of: None,
    };
    assert_eq!(hand.asked, [connect.clone(), connect.clone(), connect]);
}

#[test]
fn dropping_a_wire_on_empty_space_asks_what_to_add() {
    let mut hand = Hand::new();
    hand.drag((500.0, 20.0), (600.0, 90.0), "");
    assert_eq!(
        hand.asked,
        [Intent::Search {
            from: end('C', 1),
            at: Vec2::new(600.0, 90.0)
        }]
    );
}

#[test]
fn wire_ends_are_reconnected_or_detached() {
    let mut hand = Hand::new();
    hand.drag((200.0, 20.0), (200.0, 220.0), "");
    hand.drag((200.0, 20.0), (150.0, 320.0), "");
    hand.drag((200.0, 20.0), (196.0, 24.0), "");
    assert_eq!(
        hand.asked,
        [
            Intent::Connect {
                from: end('A', 1),
                to: end('D', 0),
                instead_of: Some(wire(1))
            },
            Intent::Disconnect(wire(1)),
        ]
    );
}

#[test]
fn alt_click_disconnects_a_port_and_right_button_opens_the_menu_or_pans() {
    let mut hand = Hand::new();
    hand.click((100.0, 20.0), "a");
    hand.press(Button::Secondary, NOWHERE, "")
        .release(NOWHERE, "");
    hand.press(Button::Secondary, NOWHERE, "")
        .to((80.0, 390.0), "")
        .release((80.0, 390.0), "");
    hand.press(Button::Pan, NOWHERE, "").to((60.0, 400.0), "");
    assert_eq!(
        hand.asked,
        [
            Intent::Break(end('A', 1)),
            Intent::Commands(Selected::default(), Vec2::new(50.0, 400.0))
        ]
    );
    assert_eq!(hand.camera.offset, Vec2::new(40.0, -10.0));
}

#[test]
fn finger_pans_taps_to_select_and_drags_the_selection() {
    let mut hand = Hand::new();
    hand.press(Button::Touch, A, "")
        .to((80.0, 20.0), "")
        .release((80.0, 20.0), "");
    assert_eq!(hand.camera.offset, Vec2::new(30.0, 0.0));
    assert_eq!(hand.selection(), "");
    let a = (80.0, 20.0);
    hand.press(Button::Touch, a, "").release(a, "");
    assert_eq!(hand.selection(), "A");
    hand.press(Button::Touch, a, "")
        .to((80.0, 120.0), "")
        .release((80.0, 120.0), "");
    assert!(matches!(&hand.asked[..], [Intent::Move { .. }]));
    hand.press(Button::Touch, NOWHERE, "");
    assert_eq!(
        hand.gesture.hold(),
        Some(Intent::Commands(
            Selected::default(),
            Vec2::new(50.0, 400.0)
        ))
    );
}

#[test]
fn gestures_move_by_graph_units_at_any_zoom() {
    let mut hand = Hand::new();
    hand.camera.zoom = 0.5;
    hand.drag((25.0, 10.0), (25.0, 60.0), "");
    assert!(matches!(&hand.asked[..], [Intent::Move { by, .. }] if *by == Vec2::new(0.0, 100.0)));
}

#[test]
fn ctrl_right_drag_cuts_crossed_wires() {
    let mut hand = Hand::new();
    let cut = |hand: &mut Hand, from: (f64, f64), to: (f64, f64)| {
        hand.press(Button::Secondary, from, "c")
            .to(to, "c")
            .release(to, "c");
    };
    cut(&mut hand, (150.0, -50.0), (160.0, 80.0));
    cut(&mut hand, (150.0, 60.0), (350.0, 60.0));
    hand.press(Button::Secondary, (150.0, -50.0), "c")
        .to((150.0, 70.0), "c")
        .to((350.0, 70.0), "c")
        .to((350.0, -50.0), "c")
        .release((350.0, -50.0), "c");
    assert_eq!(
        hand.asked,
        [
            Intent::Cut(vec![wire(1)]),
            Intent::Cut(vec![wire(1), wire(2)])
        ]
    );
}

#[test]
fn two_taps_connect_and_a_tap_elsewhere_cancels() {
    let mut hand = Hand::new();
    let tap = |hand: &mut Hand, at| {
        hand.press(Button::Touch, at, "").release(at, "");
    };
    tap(&mut hand, (300.0, 20.0));
    assert!(
        !hand.gesture.is_held(),
        "the wire waits, and nothing is held"
    );
    tap(&mut hand, (204.0, 222.0));
    hand.press(Button::Touch, (300.0, 20.0), "");
    assert!(hand.gesture.is_held());
    hand.release((300.0, 20.0), "");
    tap(&mut hand, NOWHERE);
    tap(&mut hand, (300.0, 20.0));
    tap(&mut hand, (300.0, 20.0));
    tap(&mut hand, (204.0, 222.0));
    let connect = Intent::Connect {
        from: end('B', 1),
        to: end('D', 0),
        instead_of: None,
    };
    assert_eq!(hand.asked, [connect]);
}

#[test]
fn dragged_blocks_align_with_others_unless_alt_is_held() {
    let mut hand = Hand::new();
    hand.press(Button::Primary, D, "").to((253.0, 341.0), "");
    let Gesture::Move(moving) = &hand.gesture else {
        panic!("{:?}", hand.gesture)
    };
    assert_eq!(
        moving.by,
        Vec2::new(0.0, 120.0),
        "in line with B, and on the grid"
    );
    assert_eq!(
        moving.guides,
        [(Vec2::new(200.0, 0.0), Vec2::new(200.0, 360.0))]
    );
    hand.to((253.0, 341.0), "a").release((253.0, 341.0), "a");
    assert!(matches!(&hand.asked[..], [Intent::Move { by, .. }] if *by == Vec2::new(3.0, 121.0)));
}

#[test]
fn presets_determine_drag_behaviour() {
    let mut hand = Hand::new();
    hand.drags = Drags {
        right_pans: false,
        left_pans: true,
    };
    hand.drag(NOWHERE, (90.0, 410.0), "");
    assert_eq!(hand.camera.offset, Vec2::new(40.0, 10.0));
    hand.drag((-10.0, 0.0), (90.0, 60.0), "s");
    assert_eq!(hand.selection(), "A");
    hand.press(Button::Secondary, NOWHERE, "")
        .to((90.0, 410.0), "")
        .release((90.0, 410.0), "");
    assert_eq!(
        hand.asked,
        [Intent::Commands(
            Selected::default(),
            Vec2::new(50.0, 400.0)
        )]
    );
}
