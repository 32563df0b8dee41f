// The run-time part of domains exported by Taskloom: the planner. It knows no
// game engine and no domain; the same files serve every exported domain. C# 7, no
// dependencies.

using System;
using System.Collections.Generic;

namespace Taskloom
{
    /// <summary>How a search for a plan ended.</summary>
    public enum SearchEnd
    {
        Running,
        /// <summary>There is a plan.</summary>
        Found,
        /// <summary>No plan exists.</summary>
        Exhausted,
        /// <summary>The budget of decisions was used up.</summary>
        GaveUp,
    }

    /// <summary>
    /// Forward decomposition, depth first: of the tasks that wait for nothing one is chosen,
    /// in the designer's order; a primitive one changes the state, a compound one is replaced
    /// by a network of its method. The first plan is the answer.
    /// </summary>
    public sealed class Planner
    {
        private readonly Func<State, bool> goal;
        private readonly Dictionary<Task, ulong> ids = new Dictionary<Task, ulong>();
        private readonly HashSet<Situation> visited = new HashSet<Situation>();
        private readonly Stack<Choice> stack = new Stack<Choice>();

        internal Planner(State state, IEnumerable<Task> tasks, Func<State, bool> goal)
        {
            this.goal = goal;
            var network = Network.Empty;
            foreach (var task in tasks)
            {
                network = network.Then(task);
            }
            Enter(state, Open.Replace(new Open[0], -1, network, null, Id));
        }

        public SearchEnd End { get; private set; }

        /// <summary>The plan that was found.</summary>
        public Plan Plan { get; private set; }

        /// <summary>Decisions taken so far.</summary>
        public int Decisions { get; private set; }

        /// <summary>Searches on; gives up after so many decisions in all.</summary>
        public SearchEnd Search(int budget)
        {
            while (End == SearchEnd.Running)
            {
                if (stack.Count == 0)
                {
                    End = SearchEnd.Exhausted;
                }
                else if (Decisions >= budget)
                {
                    End = SearchEnd.GaveUp;
                }
                else
                {
                    Decisions++;
                    Decide(stack.Peek());
                }
            }
            return End;
        }

        /// <summary>Takes the next alternative of a choice, or drops it.</summary>
        private void Decide(Choice choice)
        {
            if (choice.Alternatives != null)
            {
                if (choice.Alternatives.MoveNext())
                {
                    var network = choice.Alternatives.Current;
                    if (network.IsGround)
                    {
                        var parent = choice.Network[choice.Position].Task;
                        Enter(choice.State,
                            Open.Replace(choice.Network, choice.Position, network, parent, Id));
                    }
                    return;
                }
                choice.Alternatives.Dispose();
                choice.Alternatives = null;
            }
            choice.Position = Array.FindIndex(choice.Network, choice.Position + 1, o => o.Waits == 0);
            if (choice.Position < 0)
            {
                stack.Pop();
                return;
            }
            var task = choice.Network[choice.Position].Task.Task;
            if (!task.Precondition(choice.State))
            {
                return;
            }
            if (task is CompoundTask compound)
            {
                choice.Alternatives = compound.Decompose(choice.State).GetEnumerator();
            }
            else if (task is PrimitiveTask primitive)
            {
                var cost = primitive.Cost(choice.State);
                choice.Cost = double.IsNaN(cost) || double.IsInfinity(cost) ? 1 : cost;
                var after = choice.State.Copy();
                primitive.Predict(choice.State, after);
                if (after.Settle())
                {
                    Enter(after, Open.Replace(choice.Network, choice.Position, Network.Empty, null, Id));
                }
            }
        }

        /// <summary>
        /// Looks at a state and what is left to do there. What was there before is not
        /// searched again: recursion without progress ends.
        /// </summary>
        private void Enter(State state, Open[] network)
        {
            if (network.Length == 0)
            {
                if (goal == null || goal(state))
                {
                    End = SearchEnd.Found;
                    Plan = Assemble();
                }
            }
            else if (visited.Add(new Situation(state, Open.Key(network))))
            {
                stack.Push(new Choice(state, network));
            }
        }

        private Plan Assemble()
        {
            var steps = new List<PlanTask>();
            var cost = 0.0;
            foreach (var choice in stack)
            {
                if (choice.Alternatives == null)
                {
                    steps.Add(choice.Network[choice.Position].Task);
                    cost += choice.Cost;
                }
            }
            steps.Reverse();
            return new Plan(steps, cost);
        }

        private ulong Id(Task task)
        {
            if (!ids.TryGetValue(task, out var id))
            {
                id = (ulong)ids.Count + 1;
                ids.Add(task, id);
            }
            return id;
        }

        /// <summary>A decision on the way to a plan: the task chosen, and how it is done.</summary>
        private sealed class Choice
        {
            public readonly State State;
            public readonly Open[] Network;
            public int Position = -1;
            public double Cost;
            public IEnumerator<Network> Alternatives;

            public Choice(State state, Open[] network)
            {
                State = state;
                Network = network;
            }
        }

        /// <summary>A state and what is left to do in it.</summary>
        private struct Situation : IEquatable<Situation>
        {
            private readonly State state;
            private readonly ulong network;

            public Situation(State state, ulong network)
            {
                this.state = state;
                this.network = network;
            }

            public bool Equals(Situation other)
            {
                return network == other.network && state.SameAs(other.state);
            }

            public override bool Equals(object other)
            {
                return other is Situation situation && Equals(situation);
            }

            public override int GetHashCode()
            {
                return unchecked(network.GetHashCode() * 31 + state.ChangeHash());
            }
        }

        /// <summary>A task that is not done yet, in the designer's order among others.</summary>
        private sealed class Open
        {
            public readonly PlanTask Task;
            public int Waits;
            private readonly ulong id;
            /// <summary>Positions of the tasks that wait for it.</summary>
            private readonly int[] after;

            private Open(PlanTask task, ulong id, int[] after)
            {
                Task = task;
                this.id = id;
                this.after = after;
            }

            /// <summary>With a network in the place of one task, which waits for nothing.</summary>
            public static Open[] Replace(Open[] open, int position, Network network,
                PlanTask parent, Func<Task, ulong> id)
            {
                var first = Math.Max(position, 0);
                var gone = position < 0 ? 0 : 1;
                var shift = network.Count - gone;
                var result = new Open[open.Length + shift];
                for (var i = 0; i < open.Length; i++)
                {
                    if (i != position)
                    {
                        var moved = Array.ConvertAll(open[i].after, a => a > first ? a + shift : a);
                        result[i > first ? i + shift : i] = new Open(open[i].Task, open[i].id, moved);
                    }
                }
                var outer = position < 0
                    ? new int[0]
                    : Array.ConvertAll(open[position].after, a => a > first ? a + shift : a);
                var inner = network.After();
                for (var i = 0; i < network.Count; i++)
                {
                    var after = inner[i].Count == 0
                        ? outer
                        : inner[i].ConvertAll(a => a + first).ToArray();
                    var planned = new PlanTask(network[i], parent, i);
                    result[first + i] = new Open(planned, id(network[i]), after);
                }
                foreach (var task in result)
                {
                    foreach (var later in task.after)
                    {
                        result[later].Waits++;
                    }
                }
                return result;
            }

            /// <summary>A number that equal networks have in common, and hardly any others.</summary>
            public static ulong Key(Open[] open)
            {
                var key = 0UL;
                if (Array.Exists(open, o => o.Waits > 1))
                {
                    foreach (var task in open)
                    {
                        key = Mix(key, task.id);
                        foreach (var later in task.after)
                        {
                            key = Mix(key, ~(ulong)later);
                        }
                    }
                    return key;
                }
                // A forest: the order of its trees makes no difference.
                var hashes = new ulong[open.Length];
                for (var i = open.Length - 1; i >= 0; i--)
                {
                    var below = 0UL;
                    foreach (var later in open[i].after)
                    {
                        below = unchecked(below + hashes[later]);
                    }
                    hashes[i] = Mix(below, open[i].id);
                    key = unchecked(key + hashes[i]);
                }
                return key;
            }

            private static ulong Mix(ulong a, ulong b)
            {
                unchecked
                {
                    var x = a * 0x9e3779b97f4a7c15UL + b * 0xd6e8feb86659fd93UL + 0x2545f4914f6cdd1dUL;
                    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9UL;
                    x = (x ^ (x >> 27)) * 0x94d049bb133111ebUL;
                    return x ^ (x >> 31);
                }
            }
        }
    }
}
