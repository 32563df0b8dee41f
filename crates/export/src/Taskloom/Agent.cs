// The run-time part of domains exported by Taskloom: agents, which execute plans.
// It knows no game engine and no domain; the same files serve every exported
// domain. C# 7, no dependencies.

namespace Taskloom
{
    using global::System;

    /// <summary>What an agent is about.</summary>
    public enum AgentState
    {
        /// <summary>It has nothing to do.</summary>
        Idle,
        /// <summary>A plan is in progress.</summary>
        Busy,
        /// <summary>The plan was completed.</summary>
        Complete,
        /// <summary>
        /// There was no plan, or it failed and no other was found. When it is worth another try
        /// is for the game to say: <see cref="Agent.Pursue"/>.
        /// </summary>
        Failed,
    }

    /// <summary>
    /// A character that plans: its sensors, its memory, the plan it follows. Call
    /// <see cref="Pursue"/> to give it tasks and <see cref="Tick"/> as often as it may think.
    /// </summary>
    public abstract class Agent
    {
        private Task[] tasks = new Task[0];
        private int attempts;
        /// <summary>Counts what the game asks for, so that a tick notices what is asked for in its course.</summary>
        private int orders;
        private int started = -1;
        /// <summary>Whether the action of the step in progress is over, and its effects apply.</summary>
        private bool performed;

        /// <summary>The object that it is. Tasks and conditions may be about it; null: they can't be.</summary>
        public Thing Me { get; set; }

        /// <summary>What <c>time</c> is in formulas and numbers: the game says it.</summary>
        public double Now { get; set; }

        /// <summary>The objects that it plans with.</summary>
        public Things Things { get; } = new Things();

        /// <summary>The facts that no sensor says.</summary>
        public Memory Memory { get; } = new Memory();

        /// <summary>Decisions that one search may take.</summary>
        public int Budget { get; set; } = 100000;

        /// <summary>How many plans it makes for its tasks before it gives up.</summary>
        public int Attempts { get; set; } = 20;

        /// <summary>Whether it wants the plan of least cost, not the first one.</summary>
        public bool Cheapest { get; set; }

        /// <summary>What has to hold at the end of a plan; null: nothing in particular.</summary>
        public Func<State, bool> Goal { get; set; }

        /// <summary>The plan that it follows, or followed last; null: it found none.</summary>
        public Plan Plan { get; private set; }

        public AgentState State { get; private set; }

        /// <summary>Ticks since the agent was given its tasks.</summary>
        public int Time { get; private set; }

        /// <summary>A plan was found.</summary>
        public event Action<Plan> Planned;

        /// <summary>A step of the plan entered another state.</summary>
        public event Action<PlanTask> StepChanged;

        /// <summary>The world as the agent knows it now.</summary>
        public State Observe()
        {
            return new State(this);
        }

        /// <summary>
        /// Gives the agent tasks to do, in this order, instead of what it was doing. Actions and handlers of
        /// events may call it, too: the plan is made in the next tick.
        /// </summary>
        public void Pursue(params Task[] tasks)
        {
            if (tasks == null || Array.IndexOf(tasks, null) >= 0)
            {
                throw new ArgumentNullException(nameof(tasks), "Pursue was given null instead of a task.");
            }
            var interrupted = Interrupt();
            this.tasks = tasks;
            attempts = 0;
            Plan = null;
            Time = 0;
            State = AgentState.Busy;
            Report(interrupted);
        }

        /// <summary>Gives up what the agent is doing. Actions and handlers of events may call it, too.</summary>
        public void Stop()
        {
            var interrupted = Interrupt();
            State = AgentState.Idle;
            Report(interrupted);
        }

        /// <summary>
        /// One moment: checks what is in progress, ends it if it is over, and starts what
        /// comes next. Where a step failed, the next tick makes another plan for the tasks
        /// that are not complete.
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
                    Follow(order);
                }
                // Whoever has asked for something else meanwhile has set the state.
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

        /// <summary>Goes on with the plan until something takes time, fails, is interrupted, or all is done.</summary>
        private void Follow(int order)
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
                    // Effects are of the state before: the action may change what they read.
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

        /// <summary>The step in progress has failed, and its plan with it.</summary>
        private void Fail()
        {
            var step = Plan.Steps[Plan.Position];
            var root = step;
            while (root.Parent != null)
            {
                root = root.Parent;
            }
            // What stands before the task that failed is done.
            var rest = new Task[tasks.Length - root.Position];
            Array.Copy(tasks, root.Position, rest, 0, rest.Length);
            tasks = rest;
            started = -1;
            performed = false;
            Plan.State = PlanState.Failed;
            EnterState(step, TaskState.Failed);
        }

        /// <summary>Ends the plan in progress: the step in progress, if there is one, fails.</summary>
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

        /// <summary>Reports an interrupted step once the agent is in its new state, which a handler may change.</summary>
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
