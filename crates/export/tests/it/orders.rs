//! Orders that an exported agent receives during a tick: from its own actions, and from event
//! listeners.

use std::process::Command;

use expect_test::expect;

use super::host::compiled;
use super::tools::output;
use testkit::domain::document;

/// A character walks to a place, takes something there, and may flee.
const ERRAND: &str = "
type person
type thief: person
object home
object shop
fact at(?p: object)
fact done
fact safe
action Walk
action Take
action Flee
primitive walk = Walk
  pre not at(shop)
  eff at(shop)
primitive take = Take
  pre at(shop)
  eff done
primitive flee = Flee
  eff safe
compound errand
  block a begin
  block b task walk
  block c task take
  wire a.out -> b
  wire b.out -> c
compound sneak
  pre not at(?me)
  block a begin
  block b task walk
  wire a.out -> b
agent thief: thief
  task sneak
scenario s
  task errand
";

const HOST: &str = r#"
using System;
using System.Collections.Generic;
using Taskloom;
using Errand;

class Self : ErrandAgent
{
    public Action<string, int> Before = (name, tick) => { };
    public List<string> Did = new List<string>();

    ActionStatus Do(string name, int tick)
    {
        Did.Add(name + tick);
        Before(name, tick);
        return tick < 1 ? ActionStatus.Running : ActionStatus.Complete;
    }

    public override ActionStatus Walk(int tick) { return Do("walk", tick); }
    public override ActionStatus Take(int tick) { return Do("take", tick); }
    public override ActionStatus Flee(int tick) { return Do("flee", tick); }
}

static class Host
{
    static void Try(string name, Action<Self> prepare, params Task[] tasks)
    {
        var agent = new Self();
        var steps = new List<string>();
        agent.StepChanged += step => steps.Add(step.Task + " " + step.State);
        try
        {
            prepare(agent);
            agent.Pursue(tasks.Length > 0 ? tasks : new Task[] { new ErrandTask() });
            var ticks = 0;
            while (agent.Tick() == AgentState.Busy && ticks < 50) ticks++;
            Console.WriteLine(name + ": " + agent.State + " at " + agent.Time + ", plan " + (agent.Plan == null ? "none" : agent.Plan.State.ToString()));
        }
        catch (Exception e)
        {
            Console.WriteLine(name + ": " + e.GetType().Name + ": " + e.Message.Split('\n')[0].Trim());
        }
        if (agent.Did.Count > 0) Console.WriteLine("  " + string.Join(" ", agent.Did));
        if (steps.Count > 0) Console.WriteLine("  " + string.Join(", ", steps));
    }

    static void Main()
    {
        Try("undisturbed", agent => { });
        var flee = new FleeTask();
        Try("Pursue in an action", agent => agent.Before = (name, tick) => { if (name == "walk" && tick == 1) agent.Pursue(flee); });
        Try("Stop in an action", agent => agent.Before = (name, tick) => { if (name == "walk" && tick == 1) agent.Stop(); });
        foreach (var on in new[] { TaskState.InProgress, TaskState.Complete })
        {
            var state = on;
            Try("Pursue when walk is " + on, agent => agent.StepChanged += step => { if (step.Task is WalkTask && step.State == state) agent.Pursue(flee); });
            Try("Stop when walk is " + on, agent => agent.StepChanged += step => { if (step.Task is WalkTask && step.State == state) agent.Stop(); });
        }
        Try("Pursue when take is complete", agent => agent.StepChanged += step => { if (step.Task is TakeTask && step.State == TaskState.Complete) agent.Pursue(flee); });
        Try("Stop when a plan is found", agent => agent.Planned += plan => agent.Stop());
        Try("Pursue when a plan is found", agent => { var once = false; agent.Planned += plan => { if (!once) { once = true; agent.Pursue(flee); } }; });
        Try("Stop when Pursue interrupts", agent =>
        {
            agent.StepChanged += step => { if (step.State == TaskState.Failed) agent.Stop(); };
            agent.Before = (name, tick) => { if (name == "walk" && tick == 1) agent.Pursue(flee); };
        });
        Try("Pursue when a step fails", agent =>
        {
            agent.Memory[Facts.At(Objects.Shop)] = true;
            agent.StepChanged += step => { if (step.State == TaskState.Failed) agent.Pursue(flee); };
            agent.Before = (name, tick) => { if (name == "take") agent.Memory[Facts.At(Objects.Shop)] = false; };
        }, new TakeTask(), new TakeTask());
        Try("no Me", agent => { }, new SneakTask());
        Try("a wrong Me", agent => agent.Me = Objects.Home, new SneakTask());
        Try("a right Me", agent => { agent.Me = new Thief("tom"); agent.Things.Add(agent.Me); }, new SneakTask());
        Try("null", agent => { agent.Pursue((Task)null); });
        Try("null tasks", agent => { agent.Pursue((Task[])null); });
    }
}
"#;

#[test]
fn order_within_a_tick_matters() {
    let mut errand = document(ERRAND);
    errand.info = std::sync::Arc::new(taskloom_document::Info {
        title: "Errand".to_owned(),
        note: String::new(),
    });
    let extra_files = [("Host.cs", HOST)];
    let Some((mono, program)) = compiled("orders", &[&errand], &extra_files, |_, text| text) else {
        return;
    };
    expect![[r#"
        undisturbed: Complete at 3, plan Complete
          walk0 walk1 take0 take1
          walk InProgress, walk Complete, take InProgress, take Complete
        Pursue in an action: Complete at 2, plan Complete
          walk0 walk1 flee0 flee1
          walk InProgress, walk Failed, flee InProgress, flee Complete
        Stop in an action: Idle at 1, plan Failed
          walk0 walk1
          walk InProgress, walk Failed
        Pursue when walk is InProgress: Complete at 2, plan Complete
          flee0 flee1
          walk InProgress, walk Failed, flee InProgress, flee Complete
        Stop when walk is InProgress: Idle at 0, plan Failed
          walk InProgress, walk Failed
        Pursue when walk is Complete: Complete at 2, plan Complete
          walk0 walk1 flee0 flee1
          walk InProgress, walk Complete, flee InProgress, flee Complete
        Stop when walk is Complete: Idle at 1, plan Failed
          walk0 walk1
          walk InProgress, walk Complete
        Pursue when take is complete: Complete at 2, plan Complete
          walk0 walk1 take0 take1 flee0 flee1
          walk InProgress, walk Complete, take InProgress, take Complete, flee InProgress, flee Complete
        Stop when a plan is found: Idle at 0, plan Failed
        Pursue when a plan is found: Complete at 2, plan Complete
          flee0 flee1
          flee InProgress, flee Complete
        Stop when Pursue interrupts: Idle at 0, plan none
          walk0 walk1
          walk InProgress, walk Failed
        Pursue when a step fails: Complete at 2, plan Complete
          take0 take1 flee0 flee1
          take InProgress, take Complete, take Failed, flee InProgress, flee Complete
        no Me: InvalidOperationException: The agent has no Me. Set it to the agent's Thief before calling Pursue.
        a wrong Me: InvalidOperationException: The agent's Me, 'home', is a Thing, but its tasks require a Thief.
        a right Me: Complete at 2, plan Complete
          walk0 walk1
          walk InProgress, walk Complete
        null: ArgumentNullException: Pursue requires tasks, but received null.
        null tasks: ArgumentNullException: Pursue requires tasks, but received null.
    "#]].assert_eq(&output(Command::new(mono).arg(program)));
}
