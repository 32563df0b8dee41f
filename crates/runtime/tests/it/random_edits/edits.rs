//! Random edits, valid and invalid: names, blocks and texts come from small pools, so that they
//! coincide.

use proptest::collection::{btree_map, vec};
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use taskloom_document::{
    Action, Alternative, Axes, Block, BlockId, ChoicePolicy, Condition, Edit, Expectation, Field,
    Frame, Info, Kind, Name, Point, Port, Record, RecordRef, Tint, Wire,
};

use super::records;

pub fn name() -> impl Strategy<Value = Name> {
    let pool = vec!["a", "b", "c", "A", "B", "key-1", "place", "when", "object"];
    select(pool).prop_map(|text| Name::new(text).expect("a name"))
}

pub fn text() -> impl Strategy<Value = String> {
    select(vec![
        "",
        "a",
        "b(a)",
        "not a and b and c",
        "c(?a, b) or a = b",
        "forall ?a: a, ?b: place. b(?a, ?b) and a",
        "a(b) and exists ?b: c. a(?b)",
        "a(?b",
        "when and ((",
        "a := b + 2",
        "a -= 1 when key-1(?a)",
        "place(a) = c",
        "ä ∧ 'a'",
        "?a ?b a.b:c,",
        "forall ?a place b(?a)",
        "1e9 <= a - -b",
    ])
    .prop_map(str::to_owned)
}

fn block_id() -> impl Strategy<Value = BlockId> {
    let pool = vec!["p", "q", "r", "s", "t", "u"];
    select(pool).prop_map(|id| BlockId::new(id).expect("a block id"))
}

pub fn param() -> impl Strategy<Value = taskloom_document::Param> {
    (name(), name()).prop_map(|(name, of)| taskloom_document::Param { name, of })
}

fn point() -> impl Strategy<Value = Point> {
    (any::<i32>(), any::<i32>()).prop_map(|(x, y)| Point { x, y })
}

pub fn block() -> impl Strategy<Value = Block> {
    let policy = select(vec![
        ChoicePolicy::First,
        ChoicePolicy::Highest,
        ChoicePolicy::Random,
    ]);
    let scores = btree_map((1..4u16).prop_map(Port::Alternative), text(), 0..3);
    let alternative = (1..4u16, text()).prop_map(|(id, label)| Alternative { id, label });
    prop_oneof![
        2 => Just(Block::Begin {}),
        4 => (text(), [(); 3].map(|()| option::of(0..4u32)), [(); 2].map(|()| option::of(text())))
            .prop_map(|(call, [repeat, timeout, retry], [repeat_while, cleanup])| Block::Task {
                background: call.len() % 3 == 0,
                call, repeat, timeout, retry,
                repeat_while: repeat_while.unwrap_or_default(),
                on_abort: cleanup.unwrap_or_default(),
            }),
        3 => text().prop_map(|condition| Block::Branch { condition }),
        2 => (policy, vec(alternative, 0..3), scores).prop_map(|(policy, alternatives, scores)| {
            Block::Choice { policy, alternatives, scores }
        }),
        3 => (param(), text(), text(), text()).prop_map(|(variable, condition, order_by, query)| Block::Bind {
            variable,
            condition,
            order_by,
            query,
        }),
        1 => Just(Block::End {}),
    ]
}

pub fn wire() -> impl Strategy<Value = Wire> {
    let port = prop_oneof![
        4 => Just(Port::Out),
        2 => Just(Port::True),
        2 => Just(Port::False),
        1 => (1..4u16).prop_map(Port::Alternative),
    ];
    (block_id(), port, block_id()).prop_map(|(from, port, to)| Wire { from, port, to })
}

fn reference() -> impl Strategy<Value = RecordRef> {
    (select(Kind::ALL.to_vec()), name()).prop_map(|(kind, name)| RecordRef::new(kind, name))
}

/// Generates a record and a field of it, usually one that its kind has.
fn place() -> impl Strategy<Value = (RecordRef, Field)> {
    let n = || 0..3usize;
    let fields = prop_oneof![
        (Just(Kind::Condition), Just(Field::Formula)),
        (
            Just(Kind::Goal),
            select(vec![Field::Formula, Field::Relevance, Field::Bias])
        ),
        (Just(Kind::PrimitiveTask), n().prop_map(Field::Precondition)),
        (Just(Kind::PrimitiveTask), n().prop_map(Field::Integrity)),
        (Just(Kind::PrimitiveTask), n().prop_map(Field::Completion)),
        (Just(Kind::PrimitiveTask), n().prop_map(Field::Claim)),
        (Just(Kind::PrimitiveTask), n().prop_map(Field::Effect)),
        (
            Just(Kind::PrimitiveTask),
            select(vec![Field::Cost, Field::Action])
        ),
        (Just(Kind::CompoundTask), n().prop_map(Field::Precondition)),
        (Just(Kind::CompoundTask), n().prop_map(Field::Integrity)),
        (
            Just(Kind::CompoundTask),
            block_id().prop_map(Field::BlockText)
        ),
        (
            Just(Kind::CompoundTask),
            block_id().prop_map(Field::BlockWhile)
        ),
        (
            Just(Kind::CompoundTask),
            block_id().prop_map(Field::BlockAbort)
        ),
        (
            Just(Kind::CompoundTask),
            block_id().prop_map(Field::BlockQuery)
        ),
        (
            Just(Kind::CompoundTask),
            block_id().prop_map(Field::BlockOrder)
        ),
        (
            Just(Kind::CompoundTask),
            (block_id(), 1..4u16)
                .prop_map(|(id, output)| Field::BlockScore(id, Port::Alternative(output)))
        ),
        (Just(Kind::Agent), n().prop_map(Field::Task)),
        (Just(Kind::Agent), n().prop_map(Field::Sense)),
        (Just(Kind::Agent), n().prop_map(Field::Uses)),
        (Just(Kind::Scenario), n().prop_map(Field::Initial)),
        (Just(Kind::Scenario), n().prop_map(Field::Task)),
        (Just(Kind::Scenario), n().prop_map(Field::Event)),
        (Just(Kind::Scenario), n().prop_map(Field::EventWhen)),
        (Just(Kind::Scenario), n().prop_map(Field::Failure)),
        (Just(Kind::Scenario), n().prop_map(Field::Cast)),
        (Just(Kind::Scenario), n().prop_map(Field::CastObject)),
        (
            Just(Kind::Scenario),
            (n(), n()).prop_map(|(n, task)| Field::CastTask(n, task))
        ),
        (
            Just(Kind::Scenario),
            (n(), n()).prop_map(|(n, belief)| Field::Belief(n, belief))
        ),
        (Just(Kind::Scenario), n().prop_map(Field::Crowd)),
        (
            Just(Kind::Scenario),
            (n(), n()).prop_map(|(n, value)| Field::CrowdInitial(n, value))
        ),
        (
            Just(Kind::Scenario),
            (n(), n()).prop_map(|(n, task)| Field::CrowdTask(n, task))
        ),
        (
            Just(Kind::Scenario),
            (n(), n()).prop_map(|(n, belief)| Field::CrowdBelief(n, belief))
        ),
        (Just(Kind::Goal), n().prop_map(Field::Subgoal)),
        (Just(Kind::Scenario), n().prop_map(Field::Expectation)),
        (
            Just(Kind::Scenario),
            (n(), n()).prop_map(|(n, s)| Field::ExpectedStep(n, s))
        ),
        (select(Kind::ALL.to_vec()), Just(Field::Goal)),
        (select(Kind::ALL.to_vec()), Just(Field::Whole)),
    ];
    (fields, name()).prop_map(|((kind, field), name)| (RecordRef::new(kind, name), field))
}

pub fn record() -> impl Strategy<Value = Record> {
    prop_oneof![
        1 => records::object_like(),
        2 => records::fact(),
        1 => (vec(param(), 0..2), text()).prop_map(|(params, formula)| {
            Record::Condition(Condition { params, formula, ..Default::default() }.into())
        }),
        1 => (vec(param(), 0..2), text()).prop_map(|(params, duration)| {
            Record::Action(Action { params, duration, ..Default::default() }.into())
        }),
        2 => records::primitive_task(),
        2 => records::compound_task(),
        1 => records::goal(),
        1 => records::agent(),
        1 => records::scenario(),
    ]
}

pub fn expectation() -> impl Strategy<Value = Expectation> {
    prop_oneof![
        Just(Expectation::PlanExists),
        Just(Expectation::NoPlan),
        vec(text(), 0..3).prop_map(Expectation::Plan),
        text().prop_map(Expectation::Contains),
        (0.0..9.0f64).prop_map(Expectation::CostAtMost),
        Just(Expectation::CostAtMost(f64::INFINITY)),
        text().prop_map(Expectation::Finally),
        Just(Expectation::Recovers),
    ]
}

/// Generates edits of a flowchart, of which it takes several to have an effect.
fn chart_edit() -> impl Strategy<Value = Edit> {
    prop_oneof![
        4 => (name(), block_id(), block(), point()).prop_map(|(task, id, block, at)| {
            Edit::AddBlock { task, id, block, at }
        }),
        2 => (name(), block_id(), block()).prop_map(|(t, id, b)| Edit::SetBlock(t, id, b)),
        1 => (name(), vec(block_id(), 0..3)).prop_map(|(t, ids)| Edit::RemoveBlocks(t, ids)),
        5 => (name(), wire()).prop_map(|(t, w)| Edit::Connect(t, w)),
        2 => (name(), wire()).prop_map(|(t, w)| Edit::Disconnect(t, w)),
        1 => (name(), vec((block_id(), point()), 0..3)).prop_map(|(t, m)| Edit::MoveBlocks(t, m)),
        2 => (name(), vec(block_id(), 0..3), any::<bool>()).prop_map(|(t, ids, on)| Edit::Mute(t, ids, on)),
        2 => (name(), vec(block_id(), 0..3), any::<bool>()).prop_map(|(t, ids, on)| {
            Edit::Collapse(t, ids, on)
        }),
        2 => (name(), wire(), vec(point(), 0..3)).prop_map(|(t, w, points)| Edit::Bend(t, w, points)),
    ]
}

fn frame_edit() -> impl Strategy<Value = Edit> {
    let tint = select(Tint::ALL.to_vec());
    let frame = (point(), point(), text(), text(), tint);
    let frame = frame.prop_map(|(at, size, title, note, tint)| Frame {
        at,
        size,
        title,
        note,
        tint,
    });
    (option::of(name()), block_id(), option::of(frame))
        .prop_map(|(sheet, id, frame)| Edit::SetFrame(sheet, id, frame))
}

pub fn edit() -> impl Strategy<Value = Edit> {
    let single = prop_oneof![
        1 => (text(), text()).prop_map(|(title, note)| Edit::SetInfo(Info { title, note })),
        8 => (name(), record()).prop_map(|(name, record)| Edit::Add(name, record)),
        4 => (name(), record()).prop_map(|(name, record)| Edit::Replace(name, record)),
        1 => reference().prop_map(Edit::Remove),
        2 => reference().prop_map(Edit::RemoveWithUses),
        4 => (reference(), name()).prop_map(|(r, to)| Edit::Rename(r, to)),
        3 => (reference(), name(), name()).prop_map(|(r, a, b)| Edit::RenameVariable(r, a, b)),
        6 => (place(), text()).prop_map(|((r, f), text)| Edit::SetText(r, f, text)),
        2 => (place(), text()).prop_map(|((r, f), text)| Edit::InsertText(r, f, text)),
        2 => place().prop_map(|(r, f)| Edit::RemoveText(r, f)),
        12 => chart_edit(),
        1 => vec((reference(), option::of(point())), 0..3).prop_map(Edit::MoveCards),
        1 => (vec(reference(), 0..3), any::<bool>()).prop_map(|(r, on)| Edit::CollapseCards(r, on)),
        2 => frame_edit(),
        1 => option::of(name()).prop_map(Edit::ChooseMap),
        1 => option::of((option::of(name()), option::of(name())))
            .prop_map(|axes| Edit::ChooseAxes(axes.map(|(x, y)| Axes { x, y }))),
        1 => vec((name(), option::of(point())), 0..3).prop_map(Edit::MovePlaces),
    ]
    .boxed();
    prop_oneof![
        12 => single.clone(),
        1 => vec(single, 0..4).prop_map(Edit::Batch),
    ]
}
