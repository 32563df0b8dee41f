// A world of facts as text, in which an exported agent acts. It knows nothing about
// tasks or plans: sensors read it, and actions change it when their duration is over.
//
// It reads a scenario from standard input,
//
//     object person thief
//     initial true at(box)
//     event 4 false box_open
//     ticks 100
//
// and prints every plan, and every step as it ends: `complete walk-to(box) 0 3`.

using System;
using System.Collections.Generic;
using System.Globalization;
using Taskloom;

internal sealed class World
{
    private readonly Dictionary<string, string> values = new Dictionary<string, string>();
    private readonly List<KeyValuePair<int, string>> events = new List<KeyValuePair<int, string>>();
    private int ticks;

    /// Objects of the scenario: name and type.
    public readonly Dictionary<string, string> Objects = new Dictionary<string, string>();

    public World()
    {
        string line;
        while ((line = Console.ReadLine()) != null)
        {
            var words = line.Split(new[] { ' ' }, 2);
            switch (words[0])
            {
                case "object":
                    var pair = words[1].Split(' ');
                    Objects.Add(pair[1], pair[0]);
                    break;
                case "initial":
                    Happen(words[1]);
                    break;
                case "event":
                    var timed = words[1].Split(new[] { ' ' }, 2);
                    events.Add(new KeyValuePair<int, string>(int.Parse(timed[0]), timed[1]));
                    break;
                case "ticks":
                    ticks = int.Parse(words[1]);
                    break;
            }
        }
    }

    /// `true box_open`
    private void Happen(string change)
    {
        var pair = change.Split(new[] { ' ' }, 2);
        values[pair[1]] = pair[0];
    }

    private static string Atom(string fact, Thing[] arguments)
    {
        var names = Array.ConvertAll(arguments, a => a.Name);
        return names.Length == 0 ? fact : fact + "(" + string.Join(", ", names) + ")";
    }

    /// The value of a ground fact as text; null if it was never set.
    public string Read(string fact, params Thing[] arguments)
    {
        string value;
        values.TryGetValue(Atom(fact, arguments), out value);
        return value;
    }

    public bool Is(string fact, params Thing[] arguments)
    {
        return Read(fact, arguments) == "true";
    }

    public double Number(string fact, params Thing[] arguments)
    {
        return double.Parse(Read(fact, arguments) ?? "0", CultureInfo.InvariantCulture);
    }

    public void Write(string value, string fact, params Thing[] arguments)
    {
        values[Atom(fact, arguments)] = value;
    }

    /// Returns the status of an action that takes this many ticks and then changes something.
    public static ActionStatus Takes(int ticks, int tick, Action change)
    {
        if (tick < ticks)
        {
            return ActionStatus.Running;
        }
        change();
        return ActionStatus.Complete;
    }

    public static void Nothing()
    {
    }

    /// Runs an agent until its tasks are done.
    public void Run(Agent agent, params Task[] tasks)
    {
        var started = new Dictionary<PlanTask, int>();
        agent.Planned += plan =>
        {
            var steps = plan.Steps.ConvertAll(step => step.Task.ToString());
            Console.WriteLine("plan " + string.Join(", ", steps));
        };
        agent.StepChanged += step =>
        {
            int start;
            if (step.State == TaskState.InProgress)
            {
                started[step] = agent.Time;
            }
            else
            {
                start = started.TryGetValue(step, out start) ? start : agent.Time;
                Console.WriteLine(
                    step.State.ToString().ToLowerInvariant() + " " + step.Task + " " + start + " " + agent.Time);
            }
        };
        agent.Pursue(tasks);
        while (agent.State == AgentState.Busy && agent.Time < ticks)
        {
            foreach (var change in events.FindAll(e => e.Key == agent.Time))
            {
                Happen(change.Value);
            }
            agent.Tick();
        }
        Console.WriteLine("end " + agent.State.ToString().ToLowerInvariant());
    }
}
