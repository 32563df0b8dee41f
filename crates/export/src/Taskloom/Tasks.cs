// The run-time part of domains exported by Taskloom: tasks, networks and plans. Independent of game
// engine and domain: every exported domain uses the same files. C# 7, no dependencies.

namespace Taskloom
{
    using global::System;
    using global::System.Collections.Generic;

    /// <summary>The result of an agent's action method at a tick.</summary>
    public enum ActionStatus
    {
        Running,
        Complete,
        Failed,
    }

    /// <summary>The state of a task in a plan.</summary>
    public enum TaskState
    {
        /// <summary>In the plan, not yet executed.</summary>
        Planned,
        /// <summary>Being executed.</summary>
        InProgress,
        /// <summary>Successfully executed.</summary>
        Complete,
        /// <summary>A precondition was false, or an integrity rule was violated.</summary>
        Failed,
    }

    /// <summary>The state of a plan.</summary>
    public enum PlanState
    {
        InProgress,
        Complete,
        Failed,
    }

    /// <summary>A task applied to objects.</summary>
    public abstract class Task
    {
        private readonly Thing[] arguments;

        protected Task(string name, params Thing[] arguments)
        {
            Name = name;
            this.arguments = arguments;
        }

        public string Name { get; }

        public Thing[] Arguments
        {
            get { return arguments; }
        }

        /// <summary>Returns true if the task may start, or be decomposed, in this state.</summary>
        public virtual bool Precondition(State s)
        {
            return true;
        }

        /// <summary>Returns true if the task may continue; checked at every tick while it is in progress.</summary>
        public virtual bool Integrity(State s)
        {
            return true;
        }

        /// <summary>True if no argument is null.</summary>
        internal bool IsGround
        {
            get { return Array.IndexOf(arguments, null) < 0; }
        }

        public override bool Equals(object other)
        {
            if (!(other is Task task) || task.GetType() != GetType())
            {
                return false;
            }
            for (var i = 0; i < arguments.Length; i++)
            {
                if (!ReferenceEquals(arguments[i], task.arguments[i]))
                {
                    return false;
                }
            }
            return true;
        }

        public override int GetHashCode()
        {
            var hash = GetType().GetHashCode();
            foreach (var argument in arguments)
            {
                hash = unchecked(hash * 31 + (argument == null ? 0 : argument.GetHashCode()));
            }
            return hash;
        }

        public override string ToString()
        {
            return Text.Call(Name, arguments);
        }
    }

    /// <summary>A task that an agent's action method executes.</summary>
    public abstract class PrimitiveTask : Task
    {
        protected PrimitiveTask(string name, params Thing[] arguments) : base(name, arguments)
        {
        }

        /// <summary>Returns true if the task is complete; checked once its action has ended and its effects apply.</summary>
        public virtual bool Completion(State s)
        {
            return true;
        }

        public virtual double Cost(State s)
        {
            return 1;
        }

        /// <summary>Applies the effects that the planner predicts.</summary>
        public virtual void Predict(State before, State after)
        {
        }

        /// <summary>Applies the effects on the agent's memory after execution.</summary>
        public virtual void Execute(State before, State after)
        {
        }

        /// <summary>
        /// Calls the agent's method at each tick until it ends; <c>tick</c> counts from 0 at the
        /// start of the task.
        /// </summary>
        public virtual ActionStatus Run(Agent agent, int tick)
        {
            return ActionStatus.Complete;
        }
    }

    /// <summary>A task that is decomposed into subtasks.</summary>
    public abstract class CompoundTask : Task
    {
        /// <summary>The empty network.</summary>
        protected static readonly Network Empty = Network.Empty;
        /// <summary>No predecessors.</summary>
        protected static readonly int[] Start = new int[0];

        protected CompoundTask(string name, params Thing[] arguments) : base(name, arguments)
        {
        }

        /// <summary>
        /// The method: the networks into which the task may be decomposed in a state, in
        /// the designer's order. Each is created only if the previous ones led to no plan.
        /// </summary>
        public abstract IEnumerable<Network> Decompose(State s);

        /// <summary>Returns the union of several sets of predecessors.</summary>
        protected static int[] Join(params int[][] ends)
        {
            var all = new List<int>();
            foreach (var end in ends)
            {
                all.AddRange(end);
            }
            return all.ToArray();
        }
    }

    /// <summary>A partially ordered set of tasks. Immutable: adding a task returns a new network.</summary>
    public sealed class Network
    {
        /// <summary>The empty network.</summary>
        public static readonly Network Empty = new Network(new Task[0], new int[0][]);

        private readonly Task[] tasks;
        private readonly int[][] before;

        private Network(Task[] tasks, int[][] before)
        {
            this.tasks = tasks;
            this.before = before;
        }

        public int Count
        {
            get { return tasks.Length; }
        }

        public Task this[int index]
        {
            get { return tasks[index]; }
        }

        /// <summary>The last task added, as a predecessor of others.</summary>
        public int[] Last
        {
            get { return Count == 0 ? new int[0] : new[] { Count - 1 }; }
        }

        /// <summary>Returns the network with a task added after the last one.</summary>
        public Network Then(Task task)
        {
            return Add(task, Last);
        }

        /// <summary>Returns the network with a task added after the given ones.</summary>
        public Network Add(Task task, params int[][] after)
        {
            var direct = new List<int>();
            foreach (var ends in after)
            {
                foreach (var end in ends)
                {
                    if (!direct.Contains(end))
                    {
                        direct.Add(end);
                    }
                }
            }
            if (direct.Count > 1)
            {
                direct.RemoveAll(a => direct.Exists(b => a < b && IsBefore(a, b)));
            }
            direct.Sort();
            var moreTasks = new Task[Count + 1];
            var moreBefore = new int[Count + 1][];
            tasks.CopyTo(moreTasks, 0);
            before.CopyTo(moreBefore, 0);
            moreTasks[Count] = task;
            moreBefore[Count] = direct.ToArray();
            return new Network(moreTasks, moreBefore);
        }

        private bool IsBefore(int a, int b)
        {
            // Predecessors always have smaller indices.
            var met = new bool[b + 1];
            met[b] = true;
            for (var i = b; i > a; i--)
            {
                if (met[i])
                {
                    foreach (var earlier in before[i])
                    {
                        met[earlier] = true;
                    }
                }
            }
            return met[a];
        }

        /// <summary>Returns the direct successors of each task.</summary>
        internal List<int>[] After()
        {
            var after = new List<int>[Count];
            for (var i = 0; i < Count; i++)
            {
                after[i] = new List<int>();
                foreach (var earlier in before[i])
                {
                    after[earlier].Add(i);
                }
            }
            return after;
        }

        /// <summary>True if no argument of any task is null.</summary>
        internal bool IsGround
        {
            get { return Array.TrueForAll(tasks, t => t.IsGround); }
        }
    }

    /// <summary>A task of a plan, and its origin.</summary>
    public sealed class PlanTask
    {
        private int open;

        internal PlanTask(Task task, PlanTask parent, int position)
        {
            Task = task;
            Parent = parent;
            Position = position;
        }

        public Task Task { get; }

        /// <summary>The compound task whose decomposition contains it; null for a root.</summary>
        public PlanTask Parent { get; }

        /// <summary>Its position in its network.</summary>
        public int Position { get; }

        public TaskState State { get; private set; }

        /// <summary>Adds this step to the count of each task above it.</summary>
        internal void Enlist()
        {
            State = TaskState.Planned;
            for (var task = Parent; task != null; task = task.Parent)
            {
                task.State = TaskState.Planned;
                task.open++;
            }
        }

        internal void Enter(TaskState state)
        {
            State = state;
            for (var task = Parent; task != null; task = task.Parent)
            {
                if (state != TaskState.Complete)
                {
                    task.State = state;
                }
                else if (--task.open == 0)
                {
                    task.State = state;
                }
            }
        }
    }

    /// <summary>Primitive tasks in order of execution.</summary>
    public sealed class Plan
    {
        internal Plan(List<PlanTask> steps, double cost)
        {
            Steps = steps;
            Cost = cost;
            foreach (var step in steps)
            {
                step.Enlist();
            }
            State = steps.Count == 0 ? PlanState.Complete : PlanState.InProgress;
        }

        public List<PlanTask> Steps { get; }

        public double Cost { get; }

        public PlanState State { get; internal set; }

        /// <summary>The current or next step.</summary>
        public int Position { get; internal set; }
    }
}
