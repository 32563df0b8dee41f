// The ball in the box
//
// A robot wants the ball in a box. The box may be open, closed or locked. Open the compound task 'get-ball' to see how the robot decides, then choose a scenario and watch the plan change.
//
// Written by Taskloom; do not edit, export again. To use it:
// 1. Put this file and the folder Taskloom, which came with it, into your project.
// 2. Derive a class from TheBallInTheBoxAgent and fill in its sensors and actions. An
//    action is called at every tick while its task runs, with the ticks since its
//    start, until it answers something else than Running.
// 3. Tell it what it knows: agent.Memory[Facts...] = ..., and of objects that this
//    file does not name: agent.Things.Add(...).
// 4. agent.Pursue(new ...Task()), then agent.Tick() as often as it may think (in
//    Unity from a MonoBehaviour's FixedUpdate).
//
// Limitations:
// - agent:robot: not exported: its tasks
// - scenario:case-1-box-open, scenario:case-2-box-closed, scenario:case-3-key-in-the-drawer and 3 more: not exported: objects, initial values, tasks, events and expectations

namespace TheBallInTheBox
{
    /// <summary>What the robot can hold.</summary>
    public class Item : global::Taskloom.Thing
    {
        public Item(string name) : base(name)
        {
        }
    }

    /// <summary>Where the robot can stand.</summary>
    public class Place : global::Taskloom.Thing
    {
        public Place(string name) : base(name)
        {
        }
    }

    /// <summary>An item that helps to open things.</summary>
    public class Tool : Item
    {
        public Tool(string name) : base(name)
        {
        }
    }

    /// <summary>The objects that the domain names.</summary>
    public static class Objects
    {
        public static readonly Item Ball = new Item("ball");
        public static readonly Place Box = new Place("box");
        public static readonly Place Drawer = new Place("drawer");
        public static readonly Tool Hammer = new Tool("hammer");
        public static readonly Tool Key = new Tool("key");
        public static readonly Place Shed = new Place("shed");
        public static readonly Place Table = new Place("table");

        public static readonly global::Taskloom.Thing[] All =
        {
            Ball,
            Box,
            Drawer,
            Hammer,
            Key,
            Shed,
            Table,
        };
    }

    /// <summary>Facts, and ground facts: a fact with objects for its arguments.</summary>
    public static class Facts
    {
        public static readonly global::Taskloom.Fact AtFact = new global::Taskloom.Fact("at", (agent, args) => ((TheBallInTheBoxAgent)agent).At((Place)args[0]));
        public static readonly global::Taskloom.Fact BallInBoxFact = new global::Taskloom.Fact("ball_in_box", (agent, args) => ((TheBallInTheBoxAgent)agent).BallInBox());
        public static readonly global::Taskloom.Fact BoxLockedFact = new global::Taskloom.Fact("box_locked", (agent, args) => ((TheBallInTheBoxAgent)agent).BoxLocked());
        public static readonly global::Taskloom.Fact BoxOpenFact = new global::Taskloom.Fact("box_open", (agent, args) => ((TheBallInTheBoxAgent)agent).BoxOpen());
        public static readonly global::Taskloom.Fact HasFact = new global::Taskloom.Fact("has", null);
        public static readonly global::Taskloom.Fact ItemAtFact = new global::Taskloom.Fact("item_at", null);

        /// <summary>The robot stands at this place.</summary>
        public static global::Taskloom.Atom At(Place place)
        {
            return new global::Taskloom.Atom(AtFact, place);
        }

        /// <summary>The ball is still inside.</summary>
        public static global::Taskloom.Atom BallInBox()
        {
            return new global::Taskloom.Atom(BallInBoxFact);
        }

        /// <summary>The lock is shut. A locked box cannot be opened, but it can be smashed.</summary>
        public static global::Taskloom.Atom BoxLocked()
        {
            return new global::Taskloom.Atom(BoxLockedFact);
        }

        /// <summary>The lid is up.</summary>
        public static global::Taskloom.Atom BoxOpen()
        {
            return new global::Taskloom.Atom(BoxOpenFact);
        }

        /// <summary>The robot holds this item. No sensor reports it: the robot remembers what it picked up.</summary>
        public static global::Taskloom.Atom Has(Item item)
        {
            return new global::Taskloom.Atom(HasFact, item);
        }

        /// <summary>A place where the robot knows an item to be.</summary>
        public static global::Taskloom.Atom ItemAt(Item item, Place place)
        {
            return new global::Taskloom.Atom(ItemAtFact, item, place);
        }
    }

    /// <summary>What can be asked of a state: facts and named conditions.</summary>
    public static class Questions
    {
        public static bool At(this global::Taskloom.State s, Place place)
        {
            return s.Is(global::TheBallInTheBox.Facts.At(place));
        }

        public static bool BallInBox(this global::Taskloom.State s)
        {
            return s.Is(global::TheBallInTheBox.Facts.BallInBox());
        }

        public static bool BoxLocked(this global::Taskloom.State s)
        {
            return s.Is(global::TheBallInTheBox.Facts.BoxLocked());
        }

        public static bool BoxOpen(this global::Taskloom.State s)
        {
            return s.Is(global::TheBallInTheBox.Facts.BoxOpen());
        }

        public static bool Has(this global::Taskloom.State s, Item item)
        {
            return s.Is(global::TheBallInTheBox.Facts.Has(item));
        }

        public static bool ItemAt(this global::Taskloom.State s, Item item, Place place)
        {
            return s.Is(global::TheBallInTheBox.Facts.ItemAt(item, place));
        }

        /// <summary>The hammer is at this place.</summary>
        public static bool HammerAt(this global::Taskloom.State s, Place place)
        {
            return place != null && s.ItemAt(global::TheBallInTheBox.Objects.Hammer, place);
        }

        /// <summary>The key is at this place.</summary>
        public static bool KeyAt(this global::Taskloom.State s, Place place)
        {
            return place != null && s.ItemAt(global::TheBallInTheBox.Objects.Key, place);
        }
    }

    /// <summary>The agent: its sensors say what is so, its actions do something about it.</summary>
    public abstract class TheBallInTheBoxAgent : global::Taskloom.Agent
    {
        protected TheBallInTheBoxAgent()
        {
            foreach (var thing in Objects.All)
            {
                Things.Add(thing);
            }
        }

        /// <summary>The robot stands at this place.</summary>
        public abstract bool At(Place place);

        /// <summary>The ball is still inside.</summary>
        public abstract bool BallInBox();

        /// <summary>The lock is shut. A locked box cannot be opened, but it can be smashed.</summary>
        public abstract bool BoxLocked();

        /// <summary>The lid is up.</summary>
        public abstract bool BoxOpen();

        public abstract global::Taskloom.ActionStatus OpenBox(int tick);

        public abstract global::Taskloom.ActionStatus PickUp(Item item, int tick);

        public abstract global::Taskloom.ActionStatus Smash(int tick);

        /// <summary>Two ticks: long enough for something to happen in the meantime.</summary>
        public abstract global::Taskloom.ActionStatus TakeBall(int tick);

        public abstract global::Taskloom.ActionStatus UnlockBox(int tick);

        public abstract global::Taskloom.ActionStatus WalkTo(Place place, int tick);
    }

    public sealed class OpenBoxTask : global::Taskloom.PrimitiveTask
    {
        public OpenBoxTask()
            : base("open-box")
        {
        }

        public override bool Precondition(global::Taskloom.State s)
        {
            return s.At(Objects.Box)
                && !s.BoxLocked();
        }

        public override void Predict(global::Taskloom.State before, global::Taskloom.State after)
        {
            after.Write(Facts.BoxOpen(), true);
        }

        public override global::Taskloom.ActionStatus Run(global::Taskloom.Agent agent, int tick)
        {
            return ((TheBallInTheBoxAgent)agent).OpenBox(tick);
        }
    }

    public sealed class PickUpTask : global::Taskloom.PrimitiveTask
    {
        internal readonly Item item;

        public PickUpTask(Item item)
            : base("pick-up", item)
        {
            this.item = item;
        }

        public override bool Precondition(global::Taskloom.State s)
        {
            return s.Exists<Place>(p => s.At(p) && s.ItemAt(item, p));
        }

        public override void Predict(global::Taskloom.State before, global::Taskloom.State after)
        {
            foreach (var p in before.All<Place>())
            {
                after.Write(Facts.ItemAt(item, p), false);
            }
            after.Write(Facts.Has(item), true);
        }

        public override void Execute(global::Taskloom.State before, global::Taskloom.State after)
        {
            foreach (var p in before.All<Place>())
            {
                after.Write(Facts.ItemAt(item, p), false);
            }
            after.Write(Facts.Has(item), true);
        }

        public override global::Taskloom.ActionStatus Run(global::Taskloom.Agent agent, int tick)
        {
            return ((TheBallInTheBoxAgent)agent).PickUp(item, tick);
        }
    }

    /// <summary>Noisy and slow: it costs five times as much as any other step.</summary>
    public sealed class SmashBoxTask : global::Taskloom.PrimitiveTask
    {
        public SmashBoxTask()
            : base("smash-box")
        {
        }

        public override bool Precondition(global::Taskloom.State s)
        {
            return s.At(Objects.Box)
                && s.Has(Objects.Hammer);
        }

        public override double Cost(global::Taskloom.State s)
        {
            return 5;
        }

        public override void Predict(global::Taskloom.State before, global::Taskloom.State after)
        {
            after.Write(Facts.BoxOpen(), true);
        }

        public override global::Taskloom.ActionStatus Run(global::Taskloom.Agent agent, int tick)
        {
            return ((TheBallInTheBoxAgent)agent).Smash(tick);
        }
    }

    /// <summary>The integrity rule is checked at every tick: if the lid falls, the task fails and the robot replans.</summary>
    public sealed class TakeBallTask : global::Taskloom.PrimitiveTask
    {
        public TakeBallTask()
            : base("take-ball")
        {
        }

        public override bool Precondition(global::Taskloom.State s)
        {
            return s.BoxOpen()
                && s.BallInBox();
        }

        public override bool Integrity(global::Taskloom.State s)
        {
            return s.BoxOpen();
        }

        public override void Predict(global::Taskloom.State before, global::Taskloom.State after)
        {
            after.Write(Facts.BallInBox(), false);
            after.Write(Facts.Has(Objects.Ball), true);
        }

        public override void Execute(global::Taskloom.State before, global::Taskloom.State after)
        {
            after.Write(Facts.Has(Objects.Ball), true);
        }

        public override global::Taskloom.ActionStatus Run(global::Taskloom.Agent agent, int tick)
        {
            return ((TheBallInTheBoxAgent)agent).TakeBall(tick);
        }
    }

    public sealed class UnlockBoxTask : global::Taskloom.PrimitiveTask
    {
        public UnlockBoxTask()
            : base("unlock-box")
        {
        }

        public override bool Precondition(global::Taskloom.State s)
        {
            return s.At(Objects.Box)
                && s.Has(Objects.Key);
        }

        public override void Predict(global::Taskloom.State before, global::Taskloom.State after)
        {
            after.Write(Facts.BoxLocked(), false);
        }

        public override global::Taskloom.ActionStatus Run(global::Taskloom.Agent agent, int tick)
        {
            return ((TheBallInTheBoxAgent)agent).UnlockBox(tick);
        }
    }

    /// <summary>Leaves the place where the robot was. Effects that unset apply before those that set, so the robot may also walk to the place where it already stands.</summary>
    public sealed class WalkToTask : global::Taskloom.PrimitiveTask
    {
        internal readonly Place place;

        public WalkToTask(Place place)
            : base("walk-to", place)
        {
            this.place = place;
        }

        public override void Predict(global::Taskloom.State before, global::Taskloom.State after)
        {
            foreach (var p in before.All<Place>())
            {
                after.Write(Facts.At(p), false);
            }
            after.Write(Facts.At(place), true);
        }

        public override global::Taskloom.ActionStatus Run(global::Taskloom.Agent agent, int tick)
        {
            return ((TheBallInTheBoxAgent)agent).WalkTo(place, tick);
        }
    }

    /// <summary>Looks at the box and decides. The first alternative calls the task itself: once the box is unlocked, getting the ball is the same problem again, only easier.</summary>
    public sealed class GetBallTask : global::Taskloom.CompoundTask
    {
        public GetBallTask()
            : base("get-ball")
        {
        }

        public override bool Precondition(global::Taskloom.State s)
        {
            return s.BallInBox();
        }

        public override global::System.Collections.Generic.IEnumerable<global::Taskloom.Network> Decompose(global::Taskloom.State s)
        {
            // at(box)?
            if (s.At(Objects.Box))
            {
                foreach (var network in FromBoxOpen(s, Empty)) yield return network;
            }
            else
            {
                foreach (var network in FromBoxOpen(s, Empty.Then(new WalkToTask(Objects.Box)))) yield return network;
            }
        }

        // From here on: box_open
        private global::System.Collections.Generic.IEnumerable<global::Taskloom.Network> FromBoxOpen(global::Taskloom.State s, global::Taskloom.Network tasks)
        {
            // box_open?
            if (s.BoxOpen())
            {
                yield return tasks.Then(new TakeBallTask());
            }
            else
            {
                // box_locked?
                if (s.BoxLocked())
                {
                    // Alternative 1: with the key
                    yield return tasks.Then(new GetKeyTask())
                        .Then(new WalkToTask(Objects.Box))
                        .Then(new UnlockBoxTask())
                        .Then(new GetBallTask());
                    // Alternative 2: with the hammer
                    yield return tasks.Then(new GetHammerTask())
                        .Then(new WalkToTask(Objects.Box))
                        .Then(new SmashBoxTask())
                        .Then(new TakeBallTask());
                }
                else
                {
                    yield return tasks.Then(new OpenBoxTask())
                        .Then(new TakeBallTask());
                }
            }
        }
    }

    /// <summary>Fetches the hammer from wherever it is.</summary>
    public sealed class GetHammerTask : global::Taskloom.CompoundTask
    {
        public GetHammerTask()
            : base("get-hammer")
        {
        }

        public override global::System.Collections.Generic.IEnumerable<global::Taskloom.Network> Decompose(global::Taskloom.State s)
        {
            // ?place such that hammer_at(?place)
            foreach (var place in s.All<Place>())
            {
                if (s.HammerAt(place))
                {
                    yield return Empty.Then(new WalkToTask(place))
                        .Then(new PickUpTask(Objects.Hammer));
                }
            }
        }
    }

    /// <summary>Fetches the key from wherever it is.</summary>
    public sealed class GetKeyTask : global::Taskloom.CompoundTask
    {
        public GetKeyTask()
            : base("get-key")
        {
        }

        public override global::System.Collections.Generic.IEnumerable<global::Taskloom.Network> Decompose(global::Taskloom.State s)
        {
            // ?place such that key_at(?place)
            foreach (var place in s.All<Place>())
            {
                if (s.KeyAt(place))
                {
                    yield return Empty.Then(new WalkToTask(place))
                        .Then(new PickUpTask(Objects.Key));
                }
            }
        }
    }
}
