// The run-time part of domains exported by Taskloom: the planner. It knows no
// game engine and no domain; the same files serve every exported domain. C# 7, no
// dependencies.

namespace Taskloom
{
    using global::System;
    using global::System.Collections.Generic;

    /// <summary>How a search for a plan ended.</summary>
    public enum SearchEnd
    {
        Running,
        /// <summary>There is a plan.</summary>
        Found,
        /// <summary>No plan exists.</summary>
        Exhausted,
        /// <summary>The budget of decisions was used up. The plan, if there is one, may not be the cheapest.</summary>
        GaveUp,
    }

    /// <summary>
    /// Forward decomposition, depth first: of the tasks that wait for nothing one is chosen,
    /// in the designer's order; a primitive one changes the state, a compound one is replaced
    /// by a network of its method. The first plan is the answer; or the cheapest, and of several
    /// the first. Then costs have to be 0 or more: a way that has become as dear as the
    /// cheapest plan so far is not followed. Recursion that costs nothing and never comes
    /// back to where it was may use up the budget before the cheapest plan is found.
    /// </summary>
    public sealed class Planner
    {
        /// <summary>A decision among so many tasks counts once.</summary>
        private const int MostTasks = 16;

        private readonly Func<State, bool> goal;
        private readonly bool cheapest;
        private readonly Trees trees = new Trees();
        /// <summary>What was looked at, and the least that getting there has cost.</summary>
        private readonly Dictionary<Situation, double> visited = new Dictionary<Situation, double>();
        private readonly Stack<Choice> stack = new Stack<Choice>();
        /// <summary>The steps of the best plan so far, and what they cost.</summary>
        private List<PlanTask> steps;
        private double cost;

        internal Planner(State state, IEnumerable<Task> tasks, Func<State, bool> goal, bool cheapest)
        {
            this.goal = goal;
            this.cheapest = cheapest;
            var network = Network.Empty;
            foreach (var task in tasks)
            {
                network = network.Then(task);
            }
            if (network.IsGround)
            {
                Enter(state, Open.Replace(new Open[0], -1, network, null, trees), 0);
            }
        }

        public SearchEnd End { get; private set; }

        /// <summary>The plan that was found; if the search gave up, the cheapest until then.</summary>
        public Plan Plan { get; private set; }

        /// <summary>Decisions taken so far. One among very many tasks counts for several: it takes as long.</summary>
        public int Decisions { get; private set; }

        /// <summary>Searches on; gives up after so many decisions in all.</summary>
        public SearchEnd Search(int budget)
        {
            while (End == SearchEnd.Running)
            {
                if (stack.Count == 0)
                {
                    End = steps == null ? SearchEnd.Exhausted : SearchEnd.Found;
                }
                else if (Decisions >= budget)
                {
                    End = SearchEnd.GaveUp;
                }
                else
                {
                    var choice = stack.Peek();
                    Decisions += 1 + choice.Network.Length / MostTasks;
                    Decide(choice);
                }
            }
            if (Plan == null && steps != null)
            {
                Plan = new Plan(steps, cost);
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
                            Open.Replace(choice.Network, choice.Position, network, parent, trees), choice.Spent);
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
                var price = primitive.Cost(choice.State);
                var spent = choice.Spent + (double.IsNaN(price) || double.IsInfinity(price) ? 1 : price);
                var after = choice.State.Copy();
                primitive.Predict(choice.State, after);
                if (after.Settle())
                {
                    Enter(after, Open.Replace(choice.Network, choice.Position, Network.Empty, null, trees), spent);
                }
            }
        }

        /// <summary>
        /// Looks at a state and what is left to do there. What was there before is not
        /// searched again, unless it was dearer: recursion without progress ends.
        /// </summary>
        private void Enter(State state, Open[] network, double spent)
        {
            // Costs that differ by a part in a thousand million are equal.
            if (cheapest && steps != null && spent >= cost - Math.Abs(cost) * 1e-9)
            {
                return;
            }
            if (network.Length == 0)
            {
                if (goal == null || goal(state))
                {
                    steps = Steps();
                    cost = spent;
                    End = cheapest ? SearchEnd.Running : SearchEnd.Found;
                }
                return;
            }
            var situation = new Situation(state, Open.Key(network));
            if (!visited.TryGetValue(situation, out var least) || cheapest && spent < least)
            {
                visited[situation] = spent;
                stack.Push(new Choice(state, network, spent));
            }
        }

        /// <summary>The steps that were decided on.</summary>
        private List<PlanTask> Steps()
        {
            var decided = new List<PlanTask>();
            foreach (var choice in stack)
            {
                if (choice.Alternatives == null)
                {
                    decided.Add(choice.Network[choice.Position].Task);
                }
            }
            decided.Reverse();
            return decided;
        }

        /// <summary>A decision on the way to a plan: the task chosen, and how it is done.</summary>
        private sealed class Choice
        {
            public readonly State State;
            public readonly Open[] Network;
            /// <summary>What the steps before it cost.</summary>
            public readonly double Spent;
            public int Position = -1;
            public IEnumerator<Network> Alternatives;

            public Choice(State state, Open[] network, double spent)
            {
                State = state;
                Network = network;
                Spent = spent;
            }
        }

        /// <summary>A state and what is left to do in it, compared as they are: 'no plan' is said by it.</summary>
        private struct Situation : IEquatable<Situation>
        {
            private readonly State state;
            private readonly int[] network;

            public Situation(State state, int[] network)
            {
                this.state = state;
                this.network = network;
            }

            public bool Equals(Situation other)
            {
                return Same.Numbers(network, other.network) && state.SameAs(other.state);
            }

            public override bool Equals(object other)
            {
                return other is Situation situation && Equals(situation);
            }

            public override int GetHashCode()
            {
                return unchecked(Same.Hash(network) * 31 + state.ChangeHash());
            }
        }

        /// <summary>Rows of numbers that are the same if all numbers are.</summary>
        private sealed class Same : IEqualityComparer<int[]>
        {
            public static bool Numbers(int[] a, int[] b)
            {
                if (a.Length != b.Length)
                {
                    return false;
                }
                for (var i = 0; i < a.Length; i++)
                {
                    if (a[i] != b[i])
                    {
                        return false;
                    }
                }
                return true;
            }

            public static int Hash(int[] numbers)
            {
                var hash = 17;
                foreach (var number in numbers)
                {
                    hash = unchecked((hash ^ number) * 16777619);
                }
                return hash;
            }

            public bool Equals(int[] a, int[] b)
            {
                return Numbers(a, b);
            }

            public int GetHashCode(int[] numbers)
            {
                return Hash(numbers);
            }
        }

        /// <summary>
        /// Tasks by number, and trees by number: a task and the trees of those that wait for it.
        /// Equal ones have one number, and others have others.
        /// </summary>
        private sealed class Trees
        {
            private readonly Dictionary<Task, int> tasks = new Dictionary<Task, int>();
            private readonly Dictionary<int[], int> trees = new Dictionary<int[], int>(new Same());

            public int Number(Task task)
            {
                if (!tasks.TryGetValue(task, out var number))
                {
                    number = tasks.Count;
                    tasks.Add(task, number);
                }
                return number;
            }

            public int Tree(int task, int[] below)
            {
                var tree = new int[below.Length + 1];
                Array.Sort(below);
                below.CopyTo(tree, 1);
                tree[0] = task;
                if (!trees.TryGetValue(tree, out var number))
                {
                    number = trees.Count;
                    trees.Add(tree, number);
                }
                return number;
            }
        }

        /// <summary>A task that is not done yet, in the designer's order among others.</summary>
        private sealed class Open
        {
            public readonly PlanTask Task;
            public int Waits;
            private readonly int number;
            /// <summary>Positions of the tasks that wait for it.</summary>
            private readonly int[] after;
            /// <summary>The number of its tree.</summary>
            private readonly int tree;

            private Open(PlanTask task, int number, int[] after, int tree)
            {
                Task = task;
                this.number = number;
                this.after = after;
                this.tree = tree;
            }

            /// <summary>With a network in the place of one task, which waits for nothing.</summary>
            public static Open[] Replace(Open[] open, int position, Network network,
                PlanTask parent, Trees trees)
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
                        result[i > first ? i + shift : i] = new Open(open[i].Task, open[i].number, moved, open[i].tree);
                    }
                }
                var outer = position < 0
                    ? new int[0]
                    : Array.ConvertAll(open[position].after, a => a > first ? a + shift : a);
                var inner = network.After();
                // What waits for a task stands behind it, so the last has its tree first.
                for (var i = network.Count - 1; i >= 0; i--)
                {
                    var after = inner[i].Count == 0
                        ? outer
                        : inner[i].ConvertAll(a => a + first).ToArray();
                    var number = trees.Number(network[i]);
                    var tree = trees.Tree(number, Array.ConvertAll(after, a => result[a].tree));
                    result[first + i] = new Open(new PlanTask(network[i], parent, i), number, after, tree);
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

            /// <summary>Numbers that equal networks have in common, and no others.</summary>
            public static int[] Key(Open[] open)
            {
                var key = new List<int>();
                if (Array.Exists(open, o => o.Waits > 1))
                {
                    // No number of a tree.
                    key.Add(-1);
                    foreach (var task in open)
                    {
                        key.Add(task.number);
                        key.Add(task.after.Length);
                        key.AddRange(task.after);
                    }
                    return key.ToArray();
                }
                // A forest: the order of its trees makes no difference.
                foreach (var task in open)
                {
                    if (task.Waits == 0)
                    {
                        key.Add(task.tree);
                    }
                }
                key.Sort();
                return key.ToArray();
            }
        }
    }
}
