// The night guard
//
// A museum at night, and one guard. He patrols the rooms, the most precious first, keeps track of his flashlight, his stamina and the lights, and has three ways to deal with an intruder. Begin with the compound task 'keep-watch'.
//
// Written by Taskloom; do not edit, export again. To use it:
// 1. Put this file and the folder Taskloom, which came with it, into your project.
// 2. Derive a class from TheNightGuardAgent and fill in its sensors and actions. An
//    action is called at every tick while its task runs, with the ticks since its
//    start, until it answers something else than Running.
// 3. Tell it what it knows: agent.Memory[Facts...] = ..., and of objects that this
//    file does not name: agent.Things.Add(...).
// 4. agent.Pursue(new ...Task()), then agent.Tick() as often as it may think (in
//    Unity from a MonoBehaviour's FixedUpdate).
//
// Limitations:
// - agent:night-guard: not exported: its tasks, what it senses when
// - scenario:night-01-quiet, scenario:night-02-open-door, scenario:night-03-power-cut and 8 more: not exported: objects, initial values, tasks, events and expectations

namespace TheNightGuard
{
    /// <summary>What the guard can carry.</summary>
    public class Item : global::Taskloom.Thing
    {
        public Item(string name) : base(name)
        {
        }
    }

    public class Person : global::Taskloom.Thing
    {
        public Person(string name) : base(name)
        {
        }
    }

    /// <summary>Where a person can be.</summary>
    public class Place : global::Taskloom.Thing
    {
        public Place(string name) : base(name)
        {
        }
    }

    /// <summary>A place with exhibits, which has to be checked.</summary>
    public class Room : Place
    {
        public Room(string name) : base(name)
        {
        }
    }

    /// <summary>The objects that the domain names.</summary>
    public static class Objects
    {
        public static readonly Place Cellar = new Place("cellar");
        public static readonly Item DartGun = new Item("dart-gun");
        public static readonly Item Flashlight = new Item("flashlight");
        public static readonly Item Fuse = new Item("fuse");
        public static readonly Room Gallery = new Room("gallery");
        public static readonly Person Guard = new Person("guard");
        public static readonly Place Guardroom = new Place("guardroom");
        public static readonly Room Hall = new Room("hall");
        public static readonly Item Radio = new Item("radio");
        public static readonly Room Shop = new Room("shop");
        public static readonly Room Vault = new Room("vault");

        public static readonly global::Taskloom.Thing[] All =
        {
            Cellar,
            DartGun,
            Flashlight,
            Fuse,
            Gallery,
            Guard,
            Guardroom,
            Hall,
            Radio,
            Shop,
            Vault,
        };
    }

    /// <summary>Facts, and ground facts: a fact with objects for its arguments.</summary>
    public static class Facts
    {
        public static readonly global::Taskloom.Fact ArmedFact = new global::Taskloom.Fact("armed", (agent, args) => ((TheNightGuardAgent)agent).Armed((Person)args[0]));
        public static readonly global::Taskloom.Fact AsleepFact = new global::Taskloom.Fact("asleep", (agent, args) => ((TheNightGuardAgent)agent).Asleep((Person)args[0]));
        public static readonly global::Taskloom.Fact CheckedFact = new global::Taskloom.Fact("checked", null);
        public static readonly global::Taskloom.Fact CoffeeFact = new global::Taskloom.Fact("coffee", null, integer: true, min: 0, max: 4);
        public static readonly global::Taskloom.Fact DartsFact = new global::Taskloom.Fact("darts", null, integer: true, min: 0, max: 6);
        public static readonly global::Taskloom.Fact DoorOpenFact = new global::Taskloom.Fact("door_open", (agent, args) => ((TheNightGuardAgent)agent).DoorOpen((Room)args[0]));
        public static readonly global::Taskloom.Fact HasFact = new global::Taskloom.Fact("has", null);
        public static readonly global::Taskloom.Fact KeptAtFact = new global::Taskloom.Fact("kept_at", null);
        public static readonly global::Taskloom.Fact LitFact = new global::Taskloom.Fact("lit", (agent, args) => ((TheNightGuardAgent)agent).Lit((Room)args[0]));
        public static readonly global::Taskloom.Fact LoggedFact = new global::Taskloom.Fact("logged", null);
        public static readonly global::Taskloom.Fact PlaceOfFact = new global::Taskloom.Fact("place_of", (agent, args) => ((TheNightGuardAgent)agent).PlaceOf((Person)args[0]));
        public static readonly global::Taskloom.Fact PoliceCalledFact = new global::Taskloom.Fact("police_called", null);
        public static readonly global::Taskloom.Fact PowerFact = new global::Taskloom.Fact("power", (agent, args) => ((TheNightGuardAgent)agent).Power());
        public static readonly global::Taskloom.Fact SeenFact = new global::Taskloom.Fact("seen", (agent, args) => ((TheNightGuardAgent)agent).Seen((Person)args[0]));
        public static readonly global::Taskloom.Fact SpareDartsFact = new global::Taskloom.Fact("spare_darts", null, integer: true, min: 0, max: 20);
        public static readonly global::Taskloom.Fact StaminaFact = new global::Taskloom.Fact("stamina", null, integer: true, min: 0, max: 10);
        public static readonly global::Taskloom.Fact TiedFact = new global::Taskloom.Fact("tied", null);
        public static readonly global::Taskloom.Fact WarnedFact = new global::Taskloom.Fact("warned", null);
        public static readonly global::Taskloom.Fact WorthFact = new global::Taskloom.Fact("worth", null, integer: true, min: 0, max: 10);

        public static global::Taskloom.Atom Armed(Person who)
        {
            return new global::Taskloom.Atom(ArmedFact, who);
        }

        public static global::Taskloom.Atom Asleep(Person who)
        {
            return new global::Taskloom.Atom(AsleepFact, who);
        }

        /// <summary>The guard has looked around here tonight.</summary>
        public static global::Taskloom.Atom Checked(Room room)
        {
            return new global::Taskloom.Atom(CheckedFact, room);
        }

        /// <summary>Cups left in the pot.</summary>
        public static global::Taskloom.Atom Coffee()
        {
            return new global::Taskloom.Atom(CoffeeFact);
        }

        /// <summary>The darts in the dart gun.</summary>
        public static global::Taskloom.Atom Darts()
        {
            return new global::Taskloom.Atom(DartsFact);
        }

        public static global::Taskloom.Atom DoorOpen(Room room)
        {
            return new global::Taskloom.Atom(DoorOpenFact, room);
        }

        public static global::Taskloom.Atom Has(Item item)
        {
            return new global::Taskloom.Atom(HasFact, item);
        }

        /// <summary>Where an item is kept; undefined if the guard doesn't know.</summary>
        public static global::Taskloom.Atom KeptAt(Item item)
        {
            return new global::Taskloom.Atom(KeptAtFact, item);
        }

        public static global::Taskloom.Atom Lit(Room room)
        {
            return new global::Taskloom.Atom(LitFact, room);
        }

        /// <summary>Tonight's entry is in the log book.</summary>
        public static global::Taskloom.Atom Logged()
        {
            return new global::Taskloom.Atom(LoggedFact);
        }

        /// <summary>Where a person is.</summary>
        public static global::Taskloom.Atom PlaceOf(Person who)
        {
            return new global::Taskloom.Atom(PlaceOfFact, who);
        }

        public static global::Taskloom.Atom PoliceCalled()
        {
            return new global::Taskloom.Atom(PoliceCalledFact);
        }

        /// <summary>Mains power. No switch works without it.</summary>
        public static global::Taskloom.Atom Power()
        {
            return new global::Taskloom.Atom(PowerFact);
        }

        /// <summary>The cameras show this person.</summary>
        public static global::Taskloom.Atom Seen(Person who)
        {
            return new global::Taskloom.Atom(SeenFact, who);
        }

        /// <summary>The spare darts in the guardroom's drawer.</summary>
        public static global::Taskloom.Atom SpareDarts()
        {
            return new global::Taskloom.Atom(SpareDartsFact);
        }

        /// <summary>Each walk uses up one point.</summary>
        public static global::Taskloom.Atom Stamina()
        {
            return new global::Taskloom.Atom(StaminaFact);
        }

        public static global::Taskloom.Atom Tied(Person who)
        {
            return new global::Taskloom.Atom(TiedFact, who);
        }

        public static global::Taskloom.Atom Warned(Person who)
        {
            return new global::Taskloom.Atom(WarnedFact, who);
        }

        /// <summary>The value of a room's exhibits.</summary>
        public static global::Taskloom.Atom Worth(Room room)
        {
            return new global::Taskloom.Atom(WorthFact, room);
        }
    }

    /// <summary>What can be asked of a state: facts and named conditions.</summary>
    public static class Questions
    {
        public static bool Armed(this global::Taskloom.State s, Person who)
        {
            return s.Is(global::TheNightGuard.Facts.Armed(who));
        }

        public static bool Asleep(this global::Taskloom.State s, Person who)
        {
            return s.Is(global::TheNightGuard.Facts.Asleep(who));
        }

        public static bool Checked(this global::Taskloom.State s, Room room)
        {
            return s.Is(global::TheNightGuard.Facts.Checked(room));
        }

        public static double Coffee(this global::Taskloom.State s)
        {
            return s.Number(global::TheNightGuard.Facts.Coffee());
        }

        public static double Darts(this global::Taskloom.State s)
        {
            return s.Number(global::TheNightGuard.Facts.Darts());
        }

        public static bool DoorOpen(this global::Taskloom.State s, Room room)
        {
            return s.Is(global::TheNightGuard.Facts.DoorOpen(room));
        }

        public static bool Has(this global::Taskloom.State s, Item item)
        {
            return s.Is(global::TheNightGuard.Facts.Has(item));
        }

        public static Place KeptAt(this global::Taskloom.State s, Item item)
        {
            return (Place)s.Thing(global::TheNightGuard.Facts.KeptAt(item));
        }

        public static bool Lit(this global::Taskloom.State s, Room room)
        {
            return s.Is(global::TheNightGuard.Facts.Lit(room));
        }

        public static bool Logged(this global::Taskloom.State s)
        {
            return s.Is(global::TheNightGuard.Facts.Logged());
        }

        public static Place PlaceOf(this global::Taskloom.State s, Person who)
        {
            return (Place)s.Thing(global::TheNightGuard.Facts.PlaceOf(who));
        }

        public static bool PoliceCalled(this global::Taskloom.State s)
        {
            return s.Is(global::TheNightGuard.Facts.PoliceCalled());
        }

        public static bool Power(this global::Taskloom.State s)
        {
            return s.Is(global::TheNightGuard.Facts.Power());
        }

        public static bool Seen(this global::Taskloom.State s, Person who)
        {
            return s.Is(global::TheNightGuard.Facts.Seen(who));
        }

        public static double SpareDarts(this global::Taskloom.State s)
        {
            return s.Number(global::TheNightGuard.Facts.SpareDarts());
        }

        public static double Stamina(this global::Taskloom.State s)
        {
            return s.Number(global::TheNightGuard.Facts.Stamina());
        }

        public static bool Tied(this global::Taskloom.State s, Person who)
        {
            return s.Is(global::TheNightGuard.Facts.Tied(who));
        }

        public static bool Warned(this global::Taskloom.State s, Person who)
        {
            return s.Is(global::TheNightGuard.Facts.Warned(who));
        }

        public static double Worth(this global::Taskloom.State s, Room room)
        {
            return s.Number(global::TheNightGuard.Facts.Worth(room));
        }

        public static bool CanSee(this global::Taskloom.State s, Room room)
        {
            return room != null && (s.Lit(room) || s.Has(global::TheNightGuard.Objects.Flashlight));
        }

        public static bool Due(this global::Taskloom.State s, Room room)
        {
            return room != null && !s.Checked(room);
        }

        /// <summary>Asleep, or told to stop and without a weapon.</summary>
        public static bool Harmless(this global::Taskloom.State s, Person who)
        {
            return who != null && (s.Asleep(who) || s.Warned(who) && !s.Armed(who));
        }

        /// <summary>The guard is at this place.</summary>
        public static bool Here(this global::Taskloom.State s, Place place)
        {
            return place != null && s.Same(s.PlaceOf(global::TheNightGuard.Objects.Guard), place);
        }

        public static bool Threat(this global::Taskloom.State s, Person who)
        {
            return who != null && who != global::TheNightGuard.Objects.Guard && s.Seen(who) && !s.Tied(who) && !s.PoliceCalled();
        }

        public static bool Tired(this global::Taskloom.State s)
        {
            return s.Stamina() <= 3;
        }
    }

    /// <summary>The agent: its sensors say what is so, its actions do something about it.</summary>
    public abstract class TheNightGuardAgent : global::Taskloom.Agent
    {
        protected TheNightGuardAgent()
        {
            foreach (var thing in Objects.All)
            {
                Things.Add(thing);
            }
        }

        public abstract bool Armed(Person who);

        public abstract bool Asleep(Person who);

        public abstract bool DoorOpen(Room room);

        public abstract bool Lit(Room room);

        /// <summary>Where a person is.</summary>
        public abstract Place PlaceOf(Person who);

        /// <summary>Mains power. No switch works without it.</summary>
        public abstract bool Power();

        /// <summary>The cameras show this person.</summary>
        public abstract bool Seen(Person who);

        public abstract global::Taskloom.ActionStatus ChangeFuse(int tick);

        public abstract global::Taskloom.ActionStatus CloseDoor(Room room, int tick);

        public abstract global::Taskloom.ActionStatus Drink(int tick);

        public abstract global::Taskloom.ActionStatus Load(int tick);

        public abstract global::Taskloom.ActionStatus LookAround(Room room, int tick);

        public abstract global::Taskloom.ActionStatus Radio(int tick);

        public abstract global::Taskloom.ActionStatus Rest(int tick);

        public abstract global::Taskloom.ActionStatus Shoot(Person who, int tick);

        public abstract global::Taskloom.ActionStatus Shout(int tick);

        public abstract global::Taskloom.ActionStatus Sleep(int tick);

        public abstract global::Taskloom.ActionStatus Switch(Room room, int tick);

        public abstract global::Taskloom.ActionStatus Take(Item item, int tick);

        public abstract global::Taskloom.ActionStatus TieUp(Person who, int tick);

        public abstract global::Taskloom.ActionStatus Walk(Place to, int tick);

        public abstract global::Taskloom.ActionStatus Write(int tick);
    }

    public sealed class CallPoliceTask : global::Taskloom.PrimitiveTask
    {
        public CallPoliceTask()
            : base("call-police")
        {
        }

        public override bool Precondition(global::Taskloom.State s)
        {
            return s.Has(Objects.Radio);
        }

        public override double Cost(global::Taskloom.State s)
        {
            return 10;
        }

        public override void Predict(global::Taskloom.State before, global::Taskloom.State after)
        {
            after.Write(Facts.PoliceCalled(), true);
        }

        public override void Execute(global::Taskloom.State before, global::Taskloom.State after)
        {
            after.Write(Facts.PoliceCalled(), true);
        }

        public override global::Taskloom.ActionStatus Run(global::Taskloom.Agent agent, int tick)
        {
            return ((TheNightGuardAgent)agent).Radio(tick);
        }
    }

    public sealed class CatchBreathTask : global::Taskloom.PrimitiveTask
    {
        public CatchBreathTask()
            : base("catch-breath")
        {
        }

        public override bool Precondition(global::Taskloom.State s)
        {
            return s.Stamina() == 0;
        }

        public override double Cost(global::Taskloom.State s)
        {
            return 4;
        }

        public override void Predict(global::Taskloom.State before, global::Taskloom.State after)
        {
            after.Add(Facts.Stamina(), 2);
        }

        public override void Execute(global::Taskloom.State before, global::Taskloom.State after)
        {
            after.Add(Facts.Stamina(), 2);
        }

        public override global::Taskloom.ActionStatus Run(global::Taskloom.Agent agent, int tick)
        {
            return ((TheNightGuardAgent)agent).Rest(tick);
        }
    }

    public sealed class ChangeFuseTask : global::Taskloom.PrimitiveTask
    {
        public ChangeFuseTask()
            : base("change-fuse")
        {
        }

        public override bool Precondition(global::Taskloom.State s)
        {
            return s.Here(Objects.Cellar)
                && s.Has(Objects.Fuse);
        }

        public override double Cost(global::Taskloom.State s)
        {
            return 2;
        }

        public override void Predict(global::Taskloom.State before, global::Taskloom.State after)
        {
            after.Write(Facts.Has(Objects.Fuse), false);
            after.Write(Facts.Power(), true);
        }

        public override void Execute(global::Taskloom.State before, global::Taskloom.State after)
        {
            after.Write(Facts.Has(Objects.Fuse), false);
        }

        public override global::Taskloom.ActionStatus Run(global::Taskloom.Agent agent, int tick)
        {
            return ((TheNightGuardAgent)agent).ChangeFuse(tick);
        }
    }

    public sealed class CloseDoorTask : global::Taskloom.PrimitiveTask
    {
        internal readonly Room room;

        public CloseDoorTask(Room room)
            : base("close-door", room)
        {
            this.room = room;
        }

        public override bool Precondition(global::Taskloom.State s)
        {
            return s.Here(room)
                && s.DoorOpen(room);
        }

        public override void Predict(global::Taskloom.State before, global::Taskloom.State after)
        {
            after.Write(Facts.DoorOpen(room), false);
        }

        public override global::Taskloom.ActionStatus Run(global::Taskloom.Agent agent, int tick)
        {
            return ((TheNightGuardAgent)agent).CloseDoor(room, tick);
        }
    }

    public sealed class DrinkCoffeeTask : global::Taskloom.PrimitiveTask
    {
        public DrinkCoffeeTask()
            : base("drink-coffee")
        {
        }

        public override bool Precondition(global::Taskloom.State s)
        {
            return s.Here(Objects.Guardroom)
                && s.Coffee() >= 1;
        }

        public override void Predict(global::Taskloom.State before, global::Taskloom.State after)
        {
            after.Write(Facts.Stamina(), 10);
            after.Add(Facts.Coffee(), -1);
        }

        public override void Execute(global::Taskloom.State before, global::Taskloom.State after)
        {
            after.Write(Facts.Stamina(), 10);
            after.Add(Facts.Coffee(), -1);
        }

        public override global::Taskloom.ActionStatus Run(global::Taskloom.Agent agent, int tick)
        {
            return ((TheNightGuardAgent)agent).Drink(tick);
        }
    }

    public sealed class LoadGunTask : global::Taskloom.PrimitiveTask
    {
        public LoadGunTask()
            : base("load-gun")
        {
        }

        public override bool Precondition(global::Taskloom.State s)
        {
            return s.Here(Objects.Guardroom)
                && s.Has(Objects.DartGun)
                && s.SpareDarts() >= 2;
        }

        public override void Predict(global::Taskloom.State before, global::Taskloom.State after)
        {
            after.Add(Facts.SpareDarts(), -2);
            after.Add(Facts.Darts(), 2);
        }

        public override void Execute(global::Taskloom.State before, global::Taskloom.State after)
        {
            after.Add(Facts.SpareDarts(), -2);
            after.Add(Facts.Darts(), 2);
        }

        public override global::Taskloom.ActionStatus Run(global::Taskloom.Agent agent, int tick)
        {
            return ((TheNightGuardAgent)agent).Load(tick);
        }
    }

    /// <summary>Fails if the light goes out in the meantime.</summary>
    public sealed class LookAroundTask : global::Taskloom.PrimitiveTask
    {
        internal readonly Room room;

        public LookAroundTask(Room room)
            : base("look-around", room)
        {
            this.room = room;
        }

        public override bool Precondition(global::Taskloom.State s)
        {
            return s.Here(room)
                && s.CanSee(room);
        }

        public override bool Integrity(global::Taskloom.State s)
        {
            return s.CanSee(room);
        }

        public override void Predict(global::Taskloom.State before, global::Taskloom.State after)
        {
            after.Write(Facts.Checked(room), true);
        }

        public override void Execute(global::Taskloom.State before, global::Taskloom.State after)
        {
            after.Write(Facts.Checked(room), true);
        }

        public override global::Taskloom.ActionStatus Run(global::Taskloom.Agent agent, int tick)
        {
            return ((TheNightGuardAgent)agent).LookAround(room, tick);
        }
    }

    public sealed class NapTask : global::Taskloom.PrimitiveTask
    {
        public NapTask()
            : base("nap")
        {
        }

        public override bool Precondition(global::Taskloom.State s)
        {
            return s.Here(Objects.Guardroom);
        }

        public override double Cost(global::Taskloom.State s)
        {
            return 6;
        }

        public override void Predict(global::Taskloom.State before, global::Taskloom.State after)
        {
            after.Write(Facts.Stamina(), 8);
        }

        public override void Execute(global::Taskloom.State before, global::Taskloom.State after)
        {
            after.Write(Facts.Stamina(), 8);
        }

        public override global::Taskloom.ActionStatus Run(global::Taskloom.Agent agent, int tick)
        {
            return ((TheNightGuardAgent)agent).Sleep(tick);
        }
    }

    /// <summary>The game itself puts the target to sleep, so that effect is planned only.</summary>
    public sealed class ShootTask : global::Taskloom.PrimitiveTask
    {
        internal readonly Person who;

        public ShootTask(Person who)
            : base("shoot", who)
        {
            this.who = who;
        }

        public override bool Precondition(global::Taskloom.State s)
        {
            return s.Here(s.PlaceOf(who))
                && s.Has(Objects.DartGun)
                && s.Darts() >= 1;
        }

        public override double Cost(global::Taskloom.State s)
        {
            return 3;
        }

        public override void Predict(global::Taskloom.State before, global::Taskloom.State after)
        {
            after.Write(Facts.Asleep(who), true);
            after.Add(Facts.Darts(), -1);
        }

        public override void Execute(global::Taskloom.State before, global::Taskloom.State after)
        {
            after.Add(Facts.Darts(), -1);
        }

        public override global::Taskloom.ActionStatus Run(global::Taskloom.Agent agent, int tick)
        {
            return ((TheNightGuardAgent)agent).Shoot(who, tick);
        }
    }

    /// <summary>Everybody at this place hears it.</summary>
    public sealed class ShoutTask : global::Taskloom.PrimitiveTask
    {
        public ShoutTask()
            : base("shout")
        {
        }

        public override void Predict(global::Taskloom.State before, global::Taskloom.State after)
        {
            foreach (var p in before.All<Person>())
            {
                if (p != Objects.Guard && before.Here(before.PlaceOf(p)))
                {
                    after.Write(Facts.Warned(p), true);
                }
            }
        }

        public override void Execute(global::Taskloom.State before, global::Taskloom.State after)
        {
            foreach (var p in before.All<Person>())
            {
                if (p != Objects.Guard && before.Here(before.PlaceOf(p)))
                {
                    after.Write(Facts.Warned(p), true);
                }
            }
        }

        public override global::Taskloom.ActionStatus Run(global::Taskloom.Agent agent, int tick)
        {
            return ((TheNightGuardAgent)agent).Shout(tick);
        }
    }

    public sealed class SwitchOnTask : global::Taskloom.PrimitiveTask
    {
        internal readonly Room room;

        public SwitchOnTask(Room room)
            : base("switch-on", room)
        {
            this.room = room;
        }

        public override bool Precondition(global::Taskloom.State s)
        {
            return s.Here(room)
                && s.Power();
        }

        public override void Predict(global::Taskloom.State before, global::Taskloom.State after)
        {
            after.Write(Facts.Lit(room), true);
        }

        public override global::Taskloom.ActionStatus Run(global::Taskloom.Agent agent, int tick)
        {
            return ((TheNightGuardAgent)agent).Switch(room, tick);
        }
    }

    public sealed class TakeTask : global::Taskloom.PrimitiveTask
    {
        internal readonly Item item;

        public TakeTask(Item item)
            : base("take", item)
        {
            this.item = item;
        }

        public override bool Precondition(global::Taskloom.State s)
        {
            return s.Here(s.KeptAt(item));
        }

        public override void Predict(global::Taskloom.State before, global::Taskloom.State after)
        {
            after.Write(Facts.Has(item), true);
        }

        public override void Execute(global::Taskloom.State before, global::Taskloom.State after)
        {
            after.Write(Facts.Has(item), true);
        }

        public override global::Taskloom.ActionStatus Run(global::Taskloom.Agent agent, int tick)
        {
            return ((TheNightGuardAgent)agent).Take(item, tick);
        }
    }

    public sealed class TieUpTask : global::Taskloom.PrimitiveTask
    {
        internal readonly Person who;

        public TieUpTask(Person who)
            : base("tie-up", who)
        {
            this.who = who;
        }

        public override bool Precondition(global::Taskloom.State s)
        {
            return s.Here(s.PlaceOf(who))
                && s.Harmless(who);
        }

        public override bool Integrity(global::Taskloom.State s)
        {
            return s.Harmless(who);
        }

        public override void Predict(global::Taskloom.State before, global::Taskloom.State after)
        {
            after.Write(Facts.Tied(who), true);
        }

        public override void Execute(global::Taskloom.State before, global::Taskloom.State after)
        {
            after.Write(Facts.Tied(who), true);
        }

        public override global::Taskloom.ActionStatus Run(global::Taskloom.Agent agent, int tick)
        {
            return ((TheNightGuardAgent)agent).TieUp(who, tick);
        }
    }

    /// <summary>A tired guard walks more slowly: the cost depends on the state.</summary>
    public sealed class WalkToTask : global::Taskloom.PrimitiveTask
    {
        internal readonly Place to;

        public WalkToTask(Place to)
            : base("walk-to", to)
        {
            this.to = to;
        }

        public override bool Precondition(global::Taskloom.State s)
        {
            return !s.Here(to)
                && s.Stamina() >= 1;
        }

        public override double Cost(global::Taskloom.State s)
        {
            return 2.0 - s.Divide(s.Stamina(), 10);
        }

        public override void Predict(global::Taskloom.State before, global::Taskloom.State after)
        {
            after.Write(Facts.PlaceOf(Objects.Guard), to);
            after.Add(Facts.Stamina(), -1);
        }

        public override void Execute(global::Taskloom.State before, global::Taskloom.State after)
        {
            after.Add(Facts.Stamina(), -1);
        }

        public override global::Taskloom.ActionStatus Run(global::Taskloom.Agent agent, int tick)
        {
            return ((TheNightGuardAgent)agent).Walk(to, tick);
        }
    }

    public sealed class WriteLogTask : global::Taskloom.PrimitiveTask
    {
        public WriteLogTask()
            : base("write-log")
        {
        }

        public override bool Precondition(global::Taskloom.State s)
        {
            return s.Here(Objects.Guardroom);
        }

        public override void Predict(global::Taskloom.State before, global::Taskloom.State after)
        {
            after.Write(Facts.Logged(), true);
        }

        public override void Execute(global::Taskloom.State before, global::Taskloom.State after)
        {
            after.Write(Facts.Logged(), true);
        }

        public override global::Taskloom.ActionStatus Run(global::Taskloom.Agent agent, int tick)
        {
            return ((TheNightGuardAgent)agent).Write(tick);
        }
    }

    public sealed class ArmTask : global::Taskloom.CompoundTask
    {
        public ArmTask()
            : base("arm")
        {
        }

        public override global::System.Collections.Generic.IEnumerable<global::Taskloom.Network> Decompose(global::Taskloom.State s)
        {
            // darts >= 1?
            if (s.Darts() >= 1)
            {
                yield return Empty.Then(new FetchTask(Objects.DartGun));
            }
            else
            {
                yield return Empty.Then(new FetchTask(Objects.DartGun))
                    .Then(new GoToTask(Objects.Guardroom))
                    .Then(new LoadGunTask());
            }
        }
    }

    /// <summary>Handles light and door in any order, then looks around.</summary>
    public sealed class CheckRoomTask : global::Taskloom.CompoundTask
    {
        internal readonly Room room;

        public CheckRoomTask(Room room)
            : base("check-room", room)
        {
            this.room = room;
        }

        public override global::System.Collections.Generic.IEnumerable<global::Taskloom.Network> Decompose(global::Taskloom.State s)
        {
            var withGoTo = Empty.Add(new GoToTask(room), Start);
            var withMakeLight = withGoTo.Add(new MakeLightTask(room), withGoTo.Last);
            var withShutDoor = withMakeLight.Add(new ShutDoorTask(room), withGoTo.Last);
            var withLookAround = withShutDoor.Add(new LookAroundTask(room), withMakeLight.Last, withShutDoor.Last);
            yield return withLookAround;
        }
    }

    /// <summary>Takes the flashlight if he knows where it is; otherwise goes without.</summary>
    public sealed class EquipTask : global::Taskloom.CompoundTask
    {
        public EquipTask()
            : base("equip")
        {
        }

        public override global::System.Collections.Generic.IEnumerable<global::Taskloom.Network> Decompose(global::Taskloom.State s)
        {
            // Alternative 1: take what there is
            yield return Empty.Then(new FetchTask(Objects.Flashlight));
            // Alternative 2: go without
            yield return Empty;
        }
    }

    public sealed class FetchTask : global::Taskloom.CompoundTask
    {
        internal readonly Item item;

        public FetchTask(Item item)
            : base("fetch", item)
        {
            this.item = item;
        }

        public override global::System.Collections.Generic.IEnumerable<global::Taskloom.Network> Decompose(global::Taskloom.State s)
        {
            // has(?item)?
            if (s.Has(item))
            {
                yield return Empty;
            }
            else
            {
                yield return Empty.Then(new GoToTask(s.KeptAt(item)))
                    .Then(new TakeTask(item));
            }
        }
    }

    /// <summary>Does three things in any order: several wires leave Begin, and End waits for all of them.</summary>
    public sealed class GetReadyTask : global::Taskloom.CompoundTask
    {
        public GetReadyTask()
            : base("get-ready")
        {
        }

        public override global::System.Collections.Generic.IEnumerable<global::Taskloom.Network> Decompose(global::Taskloom.State s)
        {
            var withEquip = Empty.Add(new EquipTask(), Start);
            var withRestorePower = withEquip.Add(new RestorePowerTask(), Start);
            var withRefresh = withRestorePower.Add(new RefreshTask(), Start);
            yield return withRefresh;
        }
    }

    /// <summary>Walks if he is somewhere else, and rests first if he is too tired to walk.</summary>
    public sealed class GoToTask : global::Taskloom.CompoundTask
    {
        internal readonly Place place;

        public GoToTask(Place place)
            : base("go-to", place)
        {
            this.place = place;
        }

        public override global::System.Collections.Generic.IEnumerable<global::Taskloom.Network> Decompose(global::Taskloom.State s)
        {
            // here(?place)?
            if (s.Here(place))
            {
                yield return Empty;
            }
            else
            {
                // stamina >= 1?
                if (s.Stamina() >= 1)
                {
                    yield return Empty.Then(new WalkToTask(place));
                }
                else
                {
                    yield return Empty.Then(new CatchBreathTask())
                        .Then(new WalkToTask(place));
                }
            }
        }
    }

    /// <summary>The whole night: an intruder comes before everything else.</summary>
    public sealed class KeepWatchTask : global::Taskloom.CompoundTask
    {
        public KeepWatchTask()
            : base("keep-watch")
        {
        }

        public override global::System.Collections.Generic.IEnumerable<global::Taskloom.Network> Decompose(global::Taskloom.State s)
        {
            // exists ?who: person. threat(?who)?
            if (s.Exists<Person>(who => s.Threat(who)))
            {
                foreach (var network in FromReport(s, Empty.Then(new MeetIntruderTask()))) yield return network;
            }
            else
            {
                foreach (var network in FromReport(s, Empty.Then(new GetReadyTask()).Then(new PatrolTask()))) yield return network;
            }
        }

        // From here on: report
        private global::System.Collections.Generic.IEnumerable<global::Taskloom.Network> FromReport(global::Taskloom.State s, global::Taskloom.Network tasks)
        {
            yield return tasks.Then(new ReportTask());
        }
    }

    public sealed class MakeLightTask : global::Taskloom.CompoundTask
    {
        internal readonly Room room;

        public MakeLightTask(Room room)
            : base("make-light", room)
        {
            this.room = room;
        }

        public override global::System.Collections.Generic.IEnumerable<global::Taskloom.Network> Decompose(global::Taskloom.State s)
        {
            // lit(?room)?
            if (s.Lit(room))
            {
                yield return Empty;
            }
            else
            {
                // Alternative 1: by the switch
                // power?
                if (s.Power())
                {
                    yield return Empty.Then(new SwitchOnTask(room));
                }
                // Alternative 2: with the flashlight
                // has(flashlight)?
                if (s.Has(Objects.Flashlight))
                {
                    yield return Empty;
                }
            }
        }
    }

    /// <summary>Tries talking first, then a dart, and finally calls the police.</summary>
    public sealed class MeetIntruderTask : global::Taskloom.CompoundTask
    {
        public MeetIntruderTask()
            : base("meet-intruder")
        {
        }

        public override global::System.Collections.Generic.IEnumerable<global::Taskloom.Network> Decompose(global::Taskloom.State s)
        {
            // ?who such that threat(?who)
            foreach (var who in s.All<Person>())
            {
                if (s.Threat(who))
                {
                    // Alternative 1: talk
                    // not armed(?who)?
                    if (!s.Armed(who))
                    {
                        yield return Empty.Then(new GoToTask(s.PlaceOf(who)))
                            .Then(new ShoutTask())
                            .Then(new TieUpTask(who));
                    }
                    // Alternative 2: a dart
                    yield return Empty.Then(new ArmTask())
                        .Then(new GoToTask(s.PlaceOf(who)))
                        .Then(new ShootTask(who))
                        .Then(new TieUpTask(who));
                    // Alternative 3: the radio
                    yield return Empty.Then(new FetchTask(Objects.Radio))
                        .Then(new CallPoliceTask());
                }
            }
        }
    }

    /// <summary>Checks the most precious room that is due, then patrols again: the task is recursive, and ends when no room is due.</summary>
    public sealed class PatrolTask : global::Taskloom.CompoundTask
    {
        public PatrolTask()
            : base("patrol")
        {
        }

        public override global::System.Collections.Generic.IEnumerable<global::Taskloom.Network> Decompose(global::Taskloom.State s)
        {
            // exists ?r: room. due(?r)?
            if (s.Exists<Room>(r => s.Due(r)))
            {
                // ?room such that due(?room)
                foreach (var room in s.All<Room>(eachRoom => s.Due(eachRoom), eachRoom => -s.Worth(eachRoom)))
                {
                    yield return Empty.Then(new CheckRoomTask(room))
                        .Then(new PatrolTask());
                }
            }
            else
            {
                yield return Empty;
            }
        }
    }

    public sealed class RefreshTask : global::Taskloom.CompoundTask
    {
        public RefreshTask()
            : base("refresh")
        {
        }

        public override global::System.Collections.Generic.IEnumerable<global::Taskloom.Network> Decompose(global::Taskloom.State s)
        {
            // tired?
            if (s.Tired())
            {
                // Alternative 1: coffee
                // coffee >= 1?
                if (s.Coffee() >= 1)
                {
                    yield return Empty.Then(new GoToTask(Objects.Guardroom))
                        .Then(new DrinkCoffeeTask());
                }
                // Alternative 2: a nap
                yield return Empty.Then(new GoToTask(Objects.Guardroom))
                    .Then(new NapTask());
            }
            else
            {
                yield return Empty;
            }
        }
    }

    public sealed class ReportTask : global::Taskloom.CompoundTask
    {
        public ReportTask()
            : base("report")
        {
        }

        public override global::System.Collections.Generic.IEnumerable<global::Taskloom.Network> Decompose(global::Taskloom.State s)
        {
            yield return Empty.Then(new GoToTask(Objects.Guardroom))
                .Then(new WriteLogTask());
        }
    }

    public sealed class RestorePowerTask : global::Taskloom.CompoundTask
    {
        public RestorePowerTask()
            : base("restore-power")
        {
        }

        public override global::System.Collections.Generic.IEnumerable<global::Taskloom.Network> Decompose(global::Taskloom.State s)
        {
            // power?
            if (s.Power())
            {
                yield return Empty;
            }
            else
            {
                // Alternative 1: change the fuse
                yield return Empty.Then(new FetchTask(Objects.Fuse))
                    .Then(new GoToTask(Objects.Cellar))
                    .Then(new ChangeFuseTask());
                // Alternative 2: leave it dark
                yield return Empty;
            }
        }
    }

    public sealed class ShutDoorTask : global::Taskloom.CompoundTask
    {
        internal readonly Room room;

        public ShutDoorTask(Room room)
            : base("shut-door", room)
        {
            this.room = room;
        }

        public override global::System.Collections.Generic.IEnumerable<global::Taskloom.Network> Decompose(global::Taskloom.State s)
        {
            // door_open(?room)?
            if (s.DoorOpen(room))
            {
                yield return Empty.Then(new CloseDoorTask(room));
            }
            else
            {
                yield return Empty;
            }
        }
    }
}
