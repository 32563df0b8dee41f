// The run-time part of domains exported by Taskloom: agents, which execute plans. Independent of
// game engine and domain: every exported domain uses the same files. C# 7, no dependencies.

namespace Taskloom
{
    using global::System;

    /// <summary>The state of an agent.</summary>
    public enum AgentState
    {
        /// <summary>It has nothing to do.</summary>
        Idle,
        /// <summary>A plan is in progress.</summary>
        Busy,
        /// <summary>The plan was completed.</summary>
        Complete,
        /// <summary>
        /// There was no plan, or it failed and no other was found. The game decides when to try
        /// again: <see cref="Agent.Pursue"/>.
        /// </summary>
        Failed,
    }

    /// <summary>
    /// A character that plans: its sensors, its memory and its current plan. Call
    /// <see cref="Pursue"/> to give it tasks, and <see cref="Tick"/> once per tick.
    /// </summary>
    public abstract class Agent
    {
        private Task[] tasks = new Task[0];
        private int attempts;
        /// <summary>Counts the game's orders, so that a tick notices those given while it runs.</summary>
        private int orders;
        private int started = -1;
        /// <summary>True if the action of the step in progress has ended and its effects apply.</summary>
        private bool performed;

        /// <summary>The agent's own object, for tasks and conditions that refer to it; otherwise null.</summary>
        public Thing Me { get; set; }

        /// <summary>The value of <c>time</c> in formulas and numbers, set by the game.</summary>
        public double Now { get; set; }

        /// <summary>The objects that it plans with.</summary>
        public Things Things { get; } = new Things();

        /// <summary>The facts that have no sensor.</summary>
        public Memory Memory { get; } = new Memory();

        /// <summary>The maximum number of decisions per search.</summary>
        public int Budget { get; set; } = 100000;

        /// <summary>The maximum number of plans for its tasks before it gives up.</summary>
        public int Attempts { get; set; } = 20;

        /// <summary>If true, it finds the plan of minimum cost instead of the first one.</summary>
        public bool Cheapest { get; set; }

        /// <summary>The condition at the end of a plan; null for none.</summary>
        public Func<State, bool> Goal { get; set; }

        /// <summary>The current plan, or the last one; null if none was found.</summary>
        public Plan Plan { get; private set; }

        public AgentState State { get; private set; }

        /// <summary>Ticks since the agent received its tasks.</summary>
        public int Time { get; private set; }

        /// <summary>Raised when a plan was found.</summary>
        public event Action<Plan> Planned;

        /// <summary>Raised when a step of the plan entered another state.</summary>
        public event Action<PlanTask> StepChanged;

        /// <summary>Returns the world as the agent knows it now.</summary>
        public State Observe()
        {
            return new State(this);
        }

        /// <summary>
        /// Gives the agent tasks to do, in this order, and ends its current ones. Actions and event
        /// handlers may also call it: the plan is made in the next tick.
        /// </summary>
        public void Pursue(params Task[] tasks)
        {
            if (tasks == null || Array.IndexOf(tasks, null) >= 0)
            {
                throw new ArgumentNullException(nameof(tasks), "Pursue requires tasks, but received null.");
            }
            var interrupted = Interrupt();
            this.tasks = tasks;
            attempts = 0;
            Plan = null;
            Time = 0;
            State = AgentState.Busy;
            Report(interrupted);
        }

        /// <summary>Cancels the agent's tasks. Actions and event handlers may also call it.</summary>
        public void Stop()
        {
            var interrupted = Interrupt();
            State = AgentState.Idle;
            Report(interrupted);
        }

        /// <summary>
        /// Advances by one tick: checks the step in progress, ends it if it is complete, and starts
        /// the next. After a failed step, the next tick makes another plan for the incomplete tasks.
        /// </summary>
        public AgentState Tick()
        {
            if (State == AgentState.Busy)
            {
                var order = orders;
                var needed = Plan == null || Plan.State == PlanState.Failed;
                var found = !needed || MakePlan();
                if (found && order == orders)
                {
                    Execute(order);
                }
                // A new order given during the tick has already set the state.
                if (order == orders)
                {
                    State = !found ? AgentState.Failed
                        : Plan.State == PlanState.Complete ? AgentState.Complete
                        : AgentState.Busy;
                    Time++;
                }
            }
            return State;
        }

        private bool MakePlan()
        {
            if (attempts++ == Attempts)
            {
                return false;
            }
            var planner = new Planner(Observe(), tasks, Goal, Cheapest);
            planner.Search(Budget);
            Plan = planner.Plan;
            if (Plan != null)
            {
                Planned?.Invoke(Plan);
            }
            return Plan != null;
        }

        /// <summary>Executes the plan until a step takes time, fails or is interrupted, or the plan is complete.</summary>
        private void Execute(int order)
        {
            while (order == orders && Plan.State == PlanState.InProgress)
            {
                var step = Plan.Steps[Plan.Position];
                var task = (PrimitiveTask)step.Task;
                var now = Observe();
                if (started < 0)
                {
                    if (!task.Precondition(now))
                    {
                        Fail();
                        return;
                    }
                    started = Time;
                    EnterState(step, TaskState.InProgress);
                    if (order != orders)
                    {
                        return;
                    }
                }
                for (var above = step; above != null; above = above.Parent)
                {
                    if (!above.Task.Integrity(now))
                    {
                        Fail();
                        return;
                    }
                }
                if (!performed)
                {
                    // Effects read the state before the action, which may change their inputs.
                    var after = now.Copy();
                    task.Execute(now, after);
                    var status = task.Run(this, Time - started);
                    if (status == ActionStatus.Running || order != orders)
                    {
                        return;
                    }
                    if (status == ActionStatus.Failed || !after.Settle())
                    {
                        Fail();
                        return;
                    }
                    foreach (var change in after.Changes)
                    {
                        Memory[change.Key] = change.Value;
                    }
                    performed = true;
                }
                if (!task.Completion(Observe()))
                {
                    return;
                }
                performed = false;
                started = -1;
                Plan.Position++;
                if (Plan.Position == Plan.Steps.Count)
                {
                    Plan.State = PlanState.Complete;
                }
                EnterState(step, TaskState.Complete);
            }
        }

        /// <summary>Fails the step in progress, and its plan.</summary>
        private void Fail()
        {
            var step = Plan.Steps[Plan.Position];
            var root = step;
            while (root.Parent != null)
            {
                root = root.Parent;
            }
            // Tasks before the failed one are complete.
            var rest = new Task[tasks.Length - root.Position];
            Array.Copy(tasks, root.Position, rest, 0, rest.Length);
            tasks = rest;
            started = -1;
            performed = false;
            Plan.State = PlanState.Failed;
            EnterState(step, TaskState.Failed);
        }

        /// <summary>Ends the plan in progress; its current step, if any, fails.</summary>
        private PlanTask Interrupt()
        {
            orders++;
            var step = started < 0 ? null : Plan.Steps[Plan.Position];
            started = -1;
            performed = false;
            if (Plan != null && Plan.State == PlanState.InProgress)
            {
                Plan.State = PlanState.Failed;
            }
            if (step != null)
            {
                step.Enter(TaskState.Failed);
            }
            return step;
        }

        /// <summary>Reports an interrupted step after the agent's state is set, as a handler may change it.</summary>
        private void Report(PlanTask interrupted)
        {
            if (interrupted != null)
            {
                StepChanged?.Invoke(interrupted);
            }
        }

        private void EnterState(PlanTask step, TaskState state)
        {
            step.Enter(state);
            StepChanged?.Invoke(step);
        }
    }
}
