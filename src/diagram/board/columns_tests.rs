use super::*;
use taskloom_document::Point;
use taskloom_domain::dependencies::Reader;

fn folded(document: &Document, keys: &[&str]) -> Layout {
    let mut folds = Folds::default();
    keys.iter().for_each(|key| folds.set(key, true));
    columns(document, &Reader::default().links(document), &folds)
}

fn board(document: &Document) -> Scene {
    folded(document, &[]).scene
}

#[test]
fn cards_form_columns_without_overlap_and_wires_have_both_ports() {
    let document = crate::examples::first();
    let scene = board(&document);
    let rects: Vec<Rect> = scene.nodes.values().map(|s| s.rect).collect();
    for (i, a) in rects.iter().enumerate() {
        assert!(rects[i + 1..].iter().all(|b| !a.meets(b)));
    }
    assert!(scene.wires.len() > 10);
    for wire in scene.wires.keys() {
        assert!(scene.curve(wire).is_some(), "{wire:?}");
    }
    let kinds: Vec<Kind> = {
        let order = reading_order(&scene);
        order
            .iter()
            .filter_map(Node::card)
            .map(|r| r.kind)
            .collect()
    };
    assert!(kinds.is_sorted(), "column by column");
}

#[test]
fn placed_cards_leave_their_column() {
    let mut document = crate::examples::first();
    let record: RecordRef = "fact:at".parse().unwrap();
    let second: RecordRef = "fact:ball_in_box".parse().unwrap();
    let place =
        |scene: &Scene, record: &RecordRef| scene.nodes[&Node::Card(record.clone())].rect.corner();
    let first_place = place(&board(&document), &record);
    document
        .layout
        .board
        .insert(record.clone(), Point { x: -300, y: 7 });
    let scene = board(&document);
    assert_eq!(place(&scene, &record), Vec2::new(-300.0, 7.0));
    assert_eq!(place(&scene, &second), first_place);
}

#[test]
fn characters_are_below_placed_cards_if_there_are_any() {
    let mut document = crate::examples::first();
    let place = Point {
        x: 4 * PITCH as i32,
        y: 40,
    };
    let [fact, robot]: [RecordRef; 2] = ["fact:at", "agent:robot"].map(|r| r.parse().unwrap());
    document.layout.board.insert(fact.clone(), place);
    let scene = board(&document);
    let rect = |record: &RecordRef| scene.nodes[&Node::Card(record.clone())].rect;
    assert_eq!(rect(&robot).y, rect(&fact).bottom() + GAP);
    document.agents = Default::default();
    let headings = folded(&document, &[]).heads;
    assert!(headings.iter().all(|h| h.look.kind() != Some(Kind::Agent)));
}

#[test]
fn tall_columns_are_divided() {
    let mut document = crate::examples::first();
    let task = document.primitive_tasks.values().next().unwrap().clone();
    for number in 0..30 {
        let name = format!("task-{number}").parse().unwrap();
        document.primitive_tasks.insert(name, task.clone());
    }
    let scene = board(&document);
    let rects = |kind: Kind| {
        let cards = scene.nodes.iter();
        let cards = cards.filter(move |(node, _)| node.card().is_some_and(|r| r.kind == kind));
        cards.map(|(_, shape)| shape.rect).collect::<Vec<_>>()
    };
    let (tasks, next) = (rects(Kind::PrimitiveTask), rects(Kind::CompoundTask));
    let lefts = BTreeSet::from_iter(tasks.iter().map(|rect| rect.x as i32));
    assert_eq!(lefts.len(), 3);
    let bottom = tasks.iter().map(Rect::bottom).fold(0.0, f64::max);
    assert!(bottom < 36.0 * 120.0 / 2.0, "{bottom}");
    let right = tasks.iter().map(Rect::right).fold(0.0, f64::max);
    assert!(next.iter().all(|rect| rect.x >= right));
}

/// Returns the left side of a card; `None` if it is folded.
fn left(layout: &Layout, record: &str) -> Option<f64> {
    let node = Node::Card(record.parse().unwrap());
    Some(layout.scene.nodes.get(&node)?.rect.x)
}

#[test]
fn wires_of_folded_cards_end_at_their_heading() {
    let document = crate::examples::first();
    let open = folded(&document, &[]);
    let layout = folded(&document, &["action", "condition"]);
    assert_eq!(left(&layout, "action:OpenBox"), None);
    let heads = layout.heads.iter();
    let strips: Vec<_> = heads.filter(|head| head.form == HeadForm::Strip).collect();
    assert_eq!(strips.len(), 2);
    for wire in layout.scene.wires.keys() {
        assert!(layout.scene.curve(wire).is_some(), "{wire:?}");
    }
    let action = super::super::ports::offer(&"action:OpenBox".parse().unwrap());
    let at = layout.scene.socket(&action).unwrap();
    let rect = strips
        .iter()
        .find(|head| head.key == "action")
        .unwrap()
        .rect;
    assert_eq!(at.x, rect.right());
    assert!(layout.scene.wires_at(&action).count() > 0);
    // The next column moves to the left, the one before stays.
    let by = |record: &str| left(&open, record).unwrap() - left(&layout, record).unwrap();
    assert_eq!(by("fact:at"), 0.0);
    assert_eq!(
        by("primitive:open-box"),
        PITCH - 2.0 * (STRIP.x + STRIP_GAP) - GUTTER + STRIP_GAP
    );
}

#[test]
fn wires_between_folded_cards_are_not_drawn() {
    let document = crate::examples::first();
    let layout = folded(&document, &["action", "primitive"]);
    let between = layout.scene.wires.keys().filter(|wire| {
        let ends = [&wire.from.node, &wire.to.node];
        ends.iter()
            .all(|node| layout.scene.folded.contains_key(node))
    });
    assert_eq!(between.count(), 0);
    assert!(!layout.scene.wires.is_empty());
}

#[test]
fn one_kind_of_a_column_folds_to_its_heading() {
    let document = crate::examples::first();
    let (open, layout) = (folded(&document, &[]), folded(&document, &["sensor"]));
    assert_eq!(left(&layout, "fact:at"), None);
    let memory = "fact:has";
    assert_eq!(left(&layout, memory), left(&open, memory));
    let top = |layout: &Layout| {
        layout.scene.nodes[&Node::Card(memory.parse().unwrap())]
            .rect
            .y
    };
    assert!(top(&layout) < top(&open));
}

#[test]
fn an_empty_kind_does_not_keep_a_column_wide() {
    let document = crate::examples::first();
    assert!(document.goals.is_empty());
    let layout = folded(&document, &["agent"]);
    let forms = layout
        .heads
        .iter()
        .map(|head| (head.key.as_str(), head.form));
    assert!(forms.clone().any(|head| head == ("agent", HeadForm::Strip)));
    assert!(!forms.clone().any(|(key, _)| key == "goal"));
}

#[test]
fn placed_cards_and_frames_keep_their_distance_to_what_a_fold_moves() {
    let mut document = crate::examples::first();
    let record: RecordRef = "fact:at".parse().unwrap();
    let place = Point { x: 900, y: 700 };
    document.layout.board.insert(record.clone(), place);
    let (open, layout) = (
        folded(&document, &[]),
        folded(&document, &["action", "condition"]),
    );
    let by =
        left(&open, "primitive:open-box").unwrap() - left(&layout, "primitive:open-box").unwrap();
    assert_eq!(left(&layout, "fact:at"), Some(900.0 - by));
    let shown = Vec2::new(900.0 - by, 700.0);
    assert_eq!(layout.shifts.stored(shown).to_point(), place);
    assert!(
        left(&folded(&document, &["sensor"]), "fact:at").is_none(),
        "it is folded, too"
    );
}

#[test]
fn long_columns_have_groups_that_fold() {
    let mut document = crate::examples::first();
    let task = document.primitive_tasks.values().next().unwrap().clone();
    for number in 0..5 {
        for word in ["walk", "run"] {
            let name = format!("{word}-{number}").parse().unwrap();
            document.primitive_tasks.insert(name, task.clone());
        }
    }
    let layout = folded(&document, &["primitive/walk"]);
    let groups = layout
        .heads
        .iter()
        .filter(|head| head.form == HeadForm::Group);
    let groups: Vec<_> = groups
        .map(|head| (head.title.as_str(), head.count, head.folded))
        .collect();
    assert_eq!(
        groups,
        [("run", 5, false), ("walk", 6, true), ("Others", 5, false)]
    );
    assert_eq!(left(&layout, "primitive:walk-3"), None);
    let links = Reader::default().links(&document);
    let keys = keys_of(&document, &links, &"primitive:walk-3".parse().unwrap());
    assert_eq!(keys, ["primitive", "primitive/walk"]);
    // Headings and cards don't overlap.
    let heads = layout.heads.iter().map(|head| head.rect);
    let rects: Vec<Rect> = heads
        .chain(layout.scene.nodes.values().map(|s| s.rect))
        .collect();
    for (at, rect) in rects.iter().enumerate() {
        assert!(
            rects[at + 1..]
                .iter()
                .all(|other| !rect.grown(-0.5).meets(other)),
            "{rect:?}"
        );
    }
}
