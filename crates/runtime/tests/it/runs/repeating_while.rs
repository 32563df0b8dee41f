//! Task blocks that repeat while a formula is true, in random documents: their runs are those of the documents
//! in which a compound task has been drawn for each of them that decides on its own.

use std::sync::Arc;

use taskloom_document::{
    Agent, Block, BlockId, CompoundTask, Document, Flowchart, Kind, Name, Param, RecordRef,
};
use taskloom_domain::Domain;
use taskloom_planner::plan::Budget;
use taskloom_runtime::{Run, simulate};
use testkit::counts::{is_sample, on_all_cores, seeds};
use testkit::random::Random;

use super::{LAST_TICK, random_document};

/// Formulas in the words of random documents. Only a method with a Bind has `?y`.
const FORMULAS: [&str; 10] = [
    "f0",
    "not f1",
    "f2 or f0",
    "g(?x)",
    "not g(?x)",
    "n < 2",
    "v = ?x",
    "time < 9",
    "not g(?y)",
    "exists ?z: thing. g(?z)",
];

/// A block that was chosen: its task, its id and its formula.
type Chosen = (Name, BlockId, String);

/// Makes some Task blocks repeat while a formula is true.
fn choose(document: &mut Document, random: &mut Random) -> Vec<Chosen> {
    let mut chosen = vec![];
    for (name, task) in &mut document.compound_tasks {
        let task = Arc::make_mut(task);
        let parameter = format!("?{}", task.params[0].name);
        let blocks = &mut task.method.blocks;
        let binds = blocks
            .values()
            .any(|block| matches!(**block, Block::Bind { .. }));
        for (id, block) in blocks {
            let formula = random.pick(&FORMULAS).replace("?x", &parameter);
            let is_valid = binds || !formula.contains("?y");
            if block.call().is_some() && is_valid && random.below(3) == 0 {
                *block = Arc::new(block.with_repeat_while(&formula));
                if random.below(2) == 0 {
                    let times = 2 + random.below(3) as u32;
                    *block = Arc::new(block.with_repeat(Some(times)));
                }
                chosen.push((name.clone(), id.clone(), formula));
            }
        }
    }
    chosen
}

/// Draws a compound task for each of the blocks.
fn draw(document: &mut Document, chosen: &[Chosen]) {
    for (task, id, formula) in chosen {
        let name: Name = format!("{task}-while-{id}").parse().expect("a name");
        let whole = Arc::make_mut(document.compound_tasks.get_mut(task).expect("a task"));
        let block = whole.method.blocks.get_mut(id).expect("a block");
        let plain = block.call().expect("a call").clone();
        let texts = format!("{plain} {formula}");
        let of_task = whole.params[0].name.as_str();
        let mut params: Vec<&str> = [of_task, "y"]
            .into_iter()
            .filter(|name| texts.contains(&format!("?{name}")))
            .collect();
        params.sort_by_key(|name| texts.find(&format!("?{name}")));
        let args: Vec<String> = params.iter().map(|param| format!("?{param}")).collect();
        let params: Vec<String> = params.into_iter().map(str::to_owned).collect();
        let Block::Task {
            call, repeat_while, ..
        } = Arc::make_mut(block)
        else {
            unreachable!("only Task blocks were chosen");
        };
        *call = format!("{name}({})", args.join(", "));
        repeat_while.clear();
        let block = |id: &str, block: Block| (id.parse().expect("an id"), Arc::new(block));
        let condition = formula.clone();
        let blocks = [
            block("begin", Block::Begin {}),
            block("while", Block::Branch { condition }),
            block("end", Block::End {}),
            block(id.as_str(), Block::task(plain)),
        ];
        let wires = [
            "begin.out -> while".to_owned(),
            format!("while.true -> {id}"),
            "while.false -> end".to_owned(),
        ];
        let params = params.iter().map(|param| Param {
            name: param.parse().expect("a name"),
            of: "thing".parse().expect("a name"),
        });
        let guard = CompoundTask {
            params: params.collect(),
            method: Flowchart {
                blocks: blocks.into(),
                wires: wires
                    .iter()
                    .map(|wire| wire.parse().expect("a wire"))
                    .collect(),
                ..Flowchart::default()
            },
            ..CompoundTask::default()
        };
        document
            .compound_tasks
            .insert(name.clone(), Arc::new(guard));
        let record = RecordRef::new(Kind::CompoundTask, task.clone());
        let agents = document.agents.clone();
        for (agent, before) in agents {
            let is_listed = before.uses.contains(&record.name);
            if is_listed {
                let mut uses = before.uses.clone();
                uses.push(name.clone());
                let after = Agent {
                    uses,
                    ..Agent::clone(&before)
                };
                document.agents.insert(agent, Arc::new(after));
            }
        }
    }
}

fn run(document: &Document) -> Run {
    let scenario = "s".parse().expect("a name");
    simulate(
        &Domain::from(document),
        &scenario,
        Budget::default(),
        LAST_TICK,
    )
}

#[test]
fn repetitions_are_as_if_drawn() {
    // The reference interpreter elaborates repetitions, too.
    let documents = seeds(2_000);
    let all = on_all_cores(documents.clone(), |seed| {
        let mut document = random_document(seed);
        let chosen = choose(&mut document, &mut Random(seed + 1));
        let plain = run(&document);
        let mut drawn = document.clone();
        draw(&mut drawn, &chosen);
        assert_eq!(plain, run(&drawn), "seed {seed}\n{}", document.to_json());
        let is_guard = |name: &Name| {
            chosen
                .iter()
                .any(|(task, id, _)| *name.as_str() == format!("{task}-while-{id}"))
        };
        let plans = plain.plans.iter().filter_map(|planning| planning.plan());
        let nodes = plans.flat_map(|plan| plan.nodes.iter());
        let guards: Vec<bool> = nodes
            .filter(|node| is_guard(&node.task.task))
            .filter_map(|node| Some(node.decomposed()?.children.is_empty()))
            .collect();
        let done = guards.iter().filter(|is_empty| !**is_empty).count();
        (done, guards.len() - done)
    });
    let enough = documents.len() / 2;
    let done: usize = all.iter().map(|(done, _)| done).sum();
    let skipped: usize = all.iter().map(|(_, skipped)| skipped).sum();
    assert!(
        is_sample() || (done > enough && skipped > enough),
        "{done} done, {skipped} skipped"
    );
}
