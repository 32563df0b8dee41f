// A world for the ball in the box, in which an exported agent lives. It knows
// nothing of tasks or plans: sensors read it, actions change it when their time is
// over. Reads a scenario from standard input:
//
//     initial at(box)          event 4 not box_open        ticks 100
//
// and prints every step as it ends: `complete walk-to(box) 0 3`.

using System;
using System.Collections.Generic;
using Taskloom;
using TheBallInTheBox;

/// Facts that are true, as text.
internal sealed class Store
{
    private readonly HashSet<string> facts = new HashSet<string>();

    public bool Is(string fact)
    {
        return facts.Contains(fact);
    }

    /// `box_open` or `not box_open`.
    public void Apply(string change)
    {
        if (change.StartsWith("not "))
        {
            facts.Remove(change.Substring(4));
        }
        else
        {
            facts.Add(change);
        }
    }

    public void Forget(string fact)
    {
        facts.RemoveWhere(f => f.StartsWith(fact + "("));
    }
}

internal sealed class Robot : TheBallInTheBoxAgent
{
    private readonly Store world;

    public Robot(Store world)
    {
        this.world = world;
    }

    public override bool At(Place place)
    {
        return world.Is("at(" + place.Name + ")");
    }

    public override bool BallInBox()
    {
        return world.Is("ball_in_box");
    }

    public override bool BoxLocked()
    {
        return world.Is("box_locked");
    }

    public override bool BoxOpen()
    {
        return world.Is("box_open");
    }

    public override ActionStatus OpenBox(int tick)
    {
        return Takes(1, tick, "box_open");
    }

    public override ActionStatus PickUp(Item item, int tick)
    {
        return Takes(1, tick, null);
    }

    public override ActionStatus Smash(int tick)
    {
        return Takes(4, tick, "box_open");
    }

    public override ActionStatus TakeBall(int tick)
    {
        return Takes(2, tick, "not ball_in_box");
    }

    public override ActionStatus UnlockBox(int tick)
    {
        return Takes(2, tick, "not box_locked");
    }

    public override ActionStatus WalkTo(Place place, int tick)
    {
        var status = Takes(3, tick, null);
        if (status == ActionStatus.Complete)
        {
            world.Forget("at");
            world.Apply("at(" + place.Name + ")");
        }
        return status;
    }

    private ActionStatus Takes(int ticks, int tick, string change)
    {
        if (tick < ticks)
        {
            return ActionStatus.Running;
        }
        if (change != null)
        {
            world.Apply(change);
        }
        return ActionStatus.Complete;
    }
}

internal static class Host
{
    private static void Main()
    {
        var world = new Store();
        var robot = new Robot(world);
        var events = new List<KeyValuePair<int, string>>();
        var ticks = 0;
        string line;
        while ((line = Console.ReadLine()) != null)
        {
            var words = line.Split(new[] { ' ' }, 2);
            if (words[0] == "initial")
            {
                world.Apply(words[1]);
                Remember(robot, words[1]);
            }
            else if (words[0] == "event")
            {
                var timed = words[1].Split(new[] { ' ' }, 2);
                events.Add(new KeyValuePair<int, string>(int.Parse(timed[0]), timed[1]));
            }
            else if (words[0] == "ticks")
            {
                ticks = int.Parse(words[1]);
            }
        }
        var started = new Dictionary<PlanTask, int>();
        robot.Planned += plan => Console.WriteLine("plan " + string.Join(", ", plan.Steps.ConvertAll(s => s.Task.ToString())));
        robot.StepChanged += step =>
        {
            if (step.State == TaskState.InProgress)
            {
                started[step] = robot.Time;
            }
            else
            {
                int start;
                if (!started.TryGetValue(step, out start))
                {
                    start = robot.Time;
                }
                Console.WriteLine(step.State.ToString().ToLower() + " " + step.Task + " " + start + " " + robot.Time);
            }
        };
        robot.Pursue(new GetBallTask());
        while (robot.State == AgentState.Busy && robot.Time < ticks)
        {
            foreach (var change in events.FindAll(e => e.Key == robot.Time))
            {
                world.Apply(change.Value);
            }
            robot.Tick();
        }
        Console.WriteLine("end " + robot.State.ToString().ToLower());
    }

    /// Initial values of the facts that no sensor says.
    private static void Remember(Robot robot, string fact)
    {
        foreach (var item in robot.Things.Of<Item>())
        {
            if (fact == "has(" + item.Name + ")")
            {
                robot.Memory[Facts.Has(item)] = true;
            }
            foreach (var place in robot.Things.Of<Place>())
            {
                if (fact == "item_at(" + item.Name + ", " + place.Name + ")")
                {
                    robot.Memory[Facts.ItemAt(item, place)] = true;
                }
            }
        }
    }
}
