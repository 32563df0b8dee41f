// The ball in the box
//
// A robot wants the ball that is in a box. The box may be open, closed or locked. Open the compound task 'get-ball' to see how the robot makes up its mind, then choose a scenario and watch the plan change.
//
// Written by Taskloom; do not edit, export again. To use it:
// 1. Put this file and the folder Taskloom beside it into your project.
// 2. Derive a class from TheBallInTheBoxAgent and fill in its sensors and actions. An
//    action is called at every tick while its task runs, with the ticks since its
//    start; it answers Running until it is done.
// 3. Tell it what it knows: agent.Memory[Facts...] = ..., and of objects that this
//    file does not name: agent.Things.Add(...).
// 4. agent.Pursue(new ...Task()), then agent.Tick() as often as it may think (in
//    Unity from a MonoBehaviour's FixedUpdate).

using System;
using System.Collections.Generic;
using Taskloom;

namespace TheBallInTheBox
{
    /// <summary>What the robot can hold.</summary>
    public class Item : Thing
    {
        public Item(string name) : base(name)
        {
        }
    }

    /// <summary>Where the robot can stand.</summary>
    public class Place : Thing
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

        public static readonly Thing[] All =
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
        public static readonly Fact AtFact = new Fact("at", (agent, args) => ((TheBallInTheBoxAgent)agent).At((Place)args[0]));
        public static readonly Fact BallInBoxFact = new Fact("ball_in_box", (agent, args) => ((TheBallInTheBoxAgent)agent).BallInBox());
        public static readonly Fact BoxLockedFact = new Fact("box_locked", (agent, args) => ((TheBallInTheBoxAgent)agent).BoxLocked());
        public static readonly Fact BoxOpenFact = new Fact("box_open", (agent, args) => ((TheBallInTheBoxAgent)agent).BoxOpen());
        public static readonly Fact HasFact = new Fact("has", null);
        public static readonly Fact ItemAtFact = new Fact("item_at", null);

        /// <summary>The robot stands at this place.</summary>
        public static Atom At(Place place)
        {
            return new Atom(AtFact, place);
        }

        /// <summary>The ball is still inside.</summary>
        public static Atom BallInBox()
        {
            return new Atom(BallInBoxFact);
        }

        /// <summary>The lock is shut. A locked box cannot be opened, but it can be smashed.</summary>
        public static Atom BoxLocked()
        {
            return new Atom(BoxLockedFact);
        }

        /// <summary>The lid is up.</summary>
        public static Atom BoxOpen()
        {
            return new Atom(BoxOpenFact);
        }

        /// <summary>The robot holds this item. Nobody tells it: it remembers what it picked up.</summary>
        public static Atom Has(Item item)
        {
            return new Atom(HasFact, item);
        }

        /// <summary>Where the robot knows an item to lie.</summary>
        public static Atom ItemAt(Item item, Place place)
        {
            return new Atom(ItemAtFact, item, place);
        }
    }

    /// <summary>What can be asked of a state: facts and named conditions.</summary>
    public static class Questions
    {
        public static bool At(this State s, Place place)
        {
            return s.Is(Facts.At(place));
        }

        public static bool BallInBox(this State s)
        {
            return s.Is(Facts.BallInBox());
        }

        public static bool BoxLocked(this State s)
        {
            return s.Is(Facts.BoxLocked());
        }

        public static bool BoxOpen(this State s)
        {
            return s.Is(Facts.BoxOpen());
        }

        public static bool Has(this State s, Item item)
        {
            return s.Is(Facts.Has(item));
        }

        public static bool ItemAt(this State s, Item item, Place place)
        {
            return s.Is(Facts.ItemAt(item, place));
        }

        /// <summary>The hammer lies at this place.</summary>
        public static bool HammerAt(this State s, Place place)
        {
            return s.ItemAt(Objects.Hammer, place);
        }

        /// <summary>The key lies at this place.</summary>
        public static bool KeyAt(this State s, Place place)
        {
            return s.ItemAt(Objects.Key, place);
        }
    }

    /// <summary>The agent: its sensors say what is so, its actions do something about it.</summary>
    public abstract class TheBallInTheBoxAgent : Agent
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

        public abstract ActionStatus OpenBox(int tick);

        public abstract ActionStatus PickUp(Item item, int tick);

        public abstract ActionStatus Smash(int tick);

        /// <summary>Two ticks: long enough for something to happen meanwhile.</summary>
        public abstract ActionStatus TakeBall(int tick);

        public abstract ActionStatus UnlockBox(int tick);

        public abstract ActionStatus WalkTo(Place place, int tick);
    }

    public sealed class OpenBoxTask : PrimitiveTask
    {
        public OpenBoxTask()
            : base("open-box")
        {
        }

        public override bool Precondition(State s)
        {
            return s.At(Objects.Box)
                && !s.BoxLocked();
        }

        public override void Predict(State before, State after)
        {
            after.Write(Facts.BoxOpen(), true);
        }

        public override ActionStatus Run(Agent agent, int tick)
        {
            return ((TheBallInTheBoxAgent)agent).OpenBox(tick);
        }
    }

    public sealed class PickUpTask : PrimitiveTask
    {
        internal readonly Item item;

        public PickUpTask(Item item)
            : base("pick-up", item)
        {
            this.item = item;
        }

        public override bool Precondition(State s)
        {
            return Array.Exists(s.All<Place>(), p => s.At(p) && s.ItemAt(item, p));
        }

        public override void Predict(State before, State after)
        {
            foreach (var p in before.All<Place>())
            {
                after.Write(Facts.ItemAt(item, p), false);
            }
            after.Write(Facts.Has(item), true);
        }

        public override void Execute(State before, State after)
        {
            foreach (var p in before.All<Place>())
            {
                after.Write(Facts.ItemAt(item, p), false);
            }
            after.Write(Facts.Has(item), true);
        }

        public override ActionStatus Run(Agent agent, int tick)
        {
            return ((TheBallInTheBoxAgent)agent).PickUp(item, tick);
        }
    }

    /// <summary>Noisy and slow: it costs five times as much as any other step.</summary>
    public sealed class SmashBoxTask : PrimitiveTask
    {
        public SmashBoxTask()
            : base("smash-box")
        {
        }

        public override bool Precondition(State s)
        {
            return s.At(Objects.Box)
                && s.Has(Objects.Hammer);
        }

        public override double Cost(State s)
        {
            return 5;
        }

        public override void Predict(State before, State after)
        {
            after.Write(Facts.BoxOpen(), true);
        }

        public override ActionStatus Run(Agent agent, int tick)
        {
            return ((TheBallInTheBoxAgent)agent).Smash(tick);
        }
    }

    /// <summary>The integrity rule is looked at on every tick: if the lid falls, the task fails and the robot plans again.</summary>
    public sealed class TakeBallTask : PrimitiveTask
    {
        public TakeBallTask()
            : base("take-ball")
        {
        }

        public override bool Precondition(State s)
        {
            return s.BoxOpen()
                && s.BallInBox();
        }

        public override bool Integrity(State s)
        {
            return s.BoxOpen();
        }

        public override void Predict(State before, State after)
        {
            after.Write(Facts.BallInBox(), false);
            after.Write(Facts.Has(Objects.Ball), true);
        }

        public override void Execute(State before, State after)
        {
            after.Write(Facts.Has(Objects.Ball), true);
        }

        public override ActionStatus Run(Agent agent, int tick)
        {
            return ((TheBallInTheBoxAgent)agent).TakeBall(tick);
        }
    }

    public sealed class UnlockBoxTask : PrimitiveTask
    {
        public UnlockBoxTask()
            : base("unlock-box")
        {
        }

        public override bool Precondition(State s)
        {
            return s.At(Objects.Box)
                && s.Has(Objects.Key);
        }

        public override void Predict(State before, State after)
        {
            after.Write(Facts.BoxLocked(), false);
        }

        public override ActionStatus Run(Agent agent, int tick)
        {
            return ((TheBallInTheBoxAgent)agent).UnlockBox(tick);
        }
    }

    /// <summary>Leaves wherever the robot was. Effects that unset apply before those that set, so it may walk to where it stands.</summary>
    public sealed class WalkToTask : PrimitiveTask
    {
        internal readonly Place place;

        public WalkToTask(Place place)
            : base("walk-to", place)
        {
            this.place = place;
        }

        public override void Predict(State before, State after)
        {
            foreach (var p in before.All<Place>())
            {
                after.Write(Facts.At(p), false);
            }
            after.Write(Facts.At(place), true);
        }

        public override ActionStatus Run(Agent agent, int tick)
        {
            return ((TheBallInTheBoxAgent)agent).WalkTo(place, tick);
        }
    }

    /// <summary>Looks at the box and decides. In the first alternative it stands in its own method: once the box is unlocked, getting the ball is the same problem again, only easier.</summary>
    public sealed class GetBallTask : CompoundTask
    {
        public GetBallTask()
            : base("get-ball")
        {
        }

        public override bool Precondition(State s)
        {
            return s.BallInBox();
        }

        public override IEnumerable<Network> Decompose(State s)
        {
            // at(box)?
            if (s.At(Objects.Box))
            {
                foreach (var network in FromBoxOpen(s, Network.Empty)) yield return network;
            }
            else
            {
                foreach (var network in FromBoxOpen(s, Network.Empty.Then(new WalkToTask(Objects.Box)))) yield return network;
            }
        }

        // From here on: box_open
        private IEnumerable<Network> FromBoxOpen(State s, Network tasks)
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

    /// <summary>Fetches the hammer from wherever it lies.</summary>
    public sealed class GetHammerTask : CompoundTask
    {
        public GetHammerTask()
            : base("get-hammer")
        {
        }

        public override IEnumerable<Network> Decompose(State s)
        {
            // ?place such that hammer_at(?place)
            foreach (var place in s.All<Place>())
            {
                if (s.HammerAt(place))
                {
                    yield return Network.Empty.Then(new WalkToTask(place))
                        .Then(new PickUpTask(Objects.Hammer));
                }
            }
        }
    }

    /// <summary>Fetches the key from wherever it lies.</summary>
    public sealed class GetKeyTask : CompoundTask
    {
        public GetKeyTask()
            : base("get-key")
        {
        }

        public override IEnumerable<Network> Decompose(State s)
        {
            // ?place such that key_at(?place)
            foreach (var place in s.All<Place>())
            {
                if (s.KeyAt(place))
                {
                    yield return Network.Empty.Then(new WalkToTask(place))
                        .Then(new PickUpTask(Objects.Key));
                }
            }
        }
    }
}
