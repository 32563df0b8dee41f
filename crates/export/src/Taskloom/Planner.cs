// The run-time part of domains exported by Taskloom: the planner. Independent of game engine and
// domain: every exported domain uses the same files. C# 7, no dependencies.

namespace Taskloom
{
    using global::System;
    using global::System.Collections.Generic;

    /// <summary>The result of a search for a plan.</summary>
    public enum SearchEnd
    {
        Running,
        /// <summary>A plan was found.</summary>
        Found,
        /// <summary>No plan exists.</summary>
        Exhausted,
        /// <summary>The budget of decisions ran out. The plan, if there is one, may not be the cheapest.</summary>
        GaveUp,
    }

    /// <summary>
    /// Depth-first forward decomposition: chooses a task without open predecessors, in the
    /// designer's order; a primitive task changes the state, a compound task is replaced by a
    /// network of its method. Returns the first plan; or the cheapest, and the first of equally
    /// cheap ones. The latter requires costs of 0 or more: a branch is pruned once it costs as
    /// much as the cheapest plan so far. Recursion that costs nothing and never revisits a
    /// state may exhaust the budget before the cheapest plan is found.
    /// </summary>
    public sealed class Planner
    {
        /// <summary>A decision counts once per this number of tasks.</summary>
        private const int MostTasks = 16;

        private readonly Func<State, bool> goal;
        private readonly bool cheapest;
        private readonly Trees trees = new Trees();
        /// <summary>The nodes visited, with the minimum cost to reach each.</summary>
        private readonly Dictionary<Situation, double> visited = new Dictionary<Situation, double>();
        private readonly Stack<Choice> stack = new Stack<Choice>();
        /// <summary>The steps of the best plan so far, and their cost.</summary>
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
                Enter(state, Open.Replace(new Open[0], -1, network, null, trees), 0, false);
            }
        }

        public SearchEnd End { get; private set; }

        /// <summary>The plan found; if the search gave up, the cheapest so far.</summary>
        public Plan Plan { get; private set; }

        /// <summary>Decisions taken so far. A decision among many tasks counts as several, as it takes longer.</summary>
        public int Decisions { get; private set; }

        /// <summary>Continues the search; gives up once the total number of decisions reaches the budget.</summary>
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

        /// <summary>Takes the next alternative of a choice, or removes the choice.</summary>
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
                            Open.Replace(choice.Network, choice.Position, network, parent, trees), choice.Spent,
                            choice.Begun);
                    }
                    return;
                }
                choice.Alternatives.Dispose();
                choice.Alternatives = null;
            }
            choice.Position = Array.FindIndex(choice.Network, choice.Position + 1, o => o.Waits == 0);
            if (choice.Position < 0)
            {
                Leave();
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
                // As the first step, it would fail at once.
                if (!choice.Begun && !KeepsRules(choice.Network[choice.Position].Task, choice.State))
                {
                    choice.Barred = true;
                    return;
                }
                var price = primitive.Cost(choice.State);
                var spent = choice.State.Rounded(choice.Spent + (double.IsNaN(price) || double.IsInfinity(price) ? 1 : price));
                var after = choice.State.Copy();
                primitive.Predict(choice.State, after);
                if (after.Settle())
                {
                    Enter(after, Open.Replace(choice.Network, choice.Position, Network.Empty, null, trees), spent, true);
                }
            }
        }

        /// <summary>
        /// Visits a state and the remaining network. A node already visited isn't searched again,
        /// unless it is cheaper now: this ends recursion without progress.
        /// </summary>
        private void Enter(State state, Open[] network, double spent, bool begun)
        {
            // Costs are equal within a relative tolerance of 1e-9.
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
            var situation = new Situation(state, Open.Key(network), begun || !cheapest);
            if (!visited.TryGetValue(situation, out var least) || cheapest && spent < least)
            {
                visited[situation] = spent;
                stack.Push(new Choice(state, network, spent, begun));
            }
        }

        /// <summary>Returns true if the integrity rules of a task and of those above it are true.</summary>
        private static bool KeepsRules(PlanTask task, State state)
        {
            for (; task != null; task = task.Parent)
            {
                if (!task.Task.Integrity(state))
                {
                    return false;
                }
            }
            return true;
        }

        /// <summary>
        /// Removes a choice without alternatives. If an integrity rule that is false now has excluded some, they
        /// may still be possible after a step.
        /// </summary>
        private void Leave()
        {
            var choice = stack.Pop();
            if (choice.Barred && !cheapest)
            {
                visited.Remove(new Situation(choice.State, Open.Key(choice.Network), true));
                if (stack.Count > 0)
                {
                    stack.Peek().Barred = true;
                }
            }
        }

        /// <summary>Returns the steps chosen so far.</summary>
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

        /// <summary>A decision on the path to a plan: the task chosen, and its decomposition.</summary>
        private sealed class Choice
        {
            public readonly State State;
            public readonly Open[] Network;
            /// <summary>The cost of the steps before it.</summary>
            public readonly double Spent;
            /// <summary>True if there are steps before it.</summary>
            public readonly bool Begun;
            /// <summary>True if an alternative would have failed at once by an integrity rule.</summary>
            public bool Barred;
            public int Position = -1;
            public IEnumerator<Network> Alternatives;

            public Choice(State state, Open[] network, double spent, bool begun)
            {
                Begun = begun;
                State = state;
                Network = network;
                Spent = spent;
            }
        }

        /// <summary>A search node: a state and the remaining network, compared exactly, as proofs of 'no plan' rely on it.</summary>
        private struct Situation : IEquatable<Situation>
        {
            private readonly State state;
            private readonly int[] network;
            private readonly bool begun;

            public Situation(State state, int[] network, bool begun)
            {
                this.begun = begun;
                this.state = state;
                this.network = network;
            }

            public bool Equals(Situation other)
            {
                return begun == other.begun && Same.Numbers(network, other.network) && state.SameAs(other.state);
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

        /// <summary>Compares arrays of numbers by content.</summary>
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
        /// Numbers of tasks and of trees: a tree is a task and the trees of its successors.
        /// Equal ones share a number; different ones don't.
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

        /// <summary>A task of the remaining network, which is in the designer's order.</summary>
        private sealed class Open
        {
            public readonly PlanTask Task;
            public int Waits;
            private readonly int number;
            /// <summary>Positions of its successors.</summary>
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

            /// <summary>Returns the open tasks with one task, which has no predecessors, replaced by a network.</summary>
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
                // Successors have larger indices, so trees are numbered from the end.
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

            /// <summary>Returns a key that is the same for equal networks only.</summary>
            public static int[] Key(Open[] open)
            {
                var key = new List<int>();
                if (Array.Exists(open, o => o.Waits > 1))
                {
                    // Not a tree's number.
                    key.Add(-1);
                    foreach (var task in open)
                    {
                        key.Add(task.number);
                        key.Add(task.after.Length);
                        key.AddRange(task.after);
                    }
                    return key.ToArray();
                }
                // A forest: the order of its trees doesn't matter.
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
