// The night guard, implemented by hand.

using System;
using Taskloom;
using TheNightGuard;

internal sealed class Guard : TheNightGuardAgent
{
    private readonly World world;

    private Guard(World world)
    {
        this.world = world;
        foreach (var pair in world.Objects)
        {
            if (pair.Value != "person")
            {
                throw new ArgumentException(pair.Key + " is no person");
            }
            Things.Add(new Person(pair.Key));
        }
        Memory[Facts.Coffee()] = world.Number("coffee");
        Memory[Facts.Darts()] = world.Number("darts");
        Memory[Facts.SpareDarts()] = world.Number("spare_darts");
        Memory[Facts.Stamina()] = world.Number("stamina");
        foreach (var room in Things.Of<Room>())
        {
            Memory[Facts.Worth(room)] = world.Number("worth", room);
        }
        foreach (var item in Things.Of<Item>())
        {
            Memory[Facts.KeptAt(item)] = PlaceNamed(world.Read("kept_at", item));
        }
    }

    private Place PlaceNamed(string name)
    {
        return Array.Find(Things.Of<Place>(), place => place.Name == name);
    }

    public override bool Armed(Person who)
    {
        return world.Is("armed", who);
    }

    public override bool Asleep(Person who)
    {
        return world.Is("asleep", who);
    }

    public override bool DoorOpen(Room room)
    {
        return world.Is("door_open", room);
    }

    public override bool Lit(Room room)
    {
        return world.Is("lit", room);
    }

    public override Place PlaceOf(Person who)
    {
        return PlaceNamed(world.Read("place_of", who));
    }

    public override bool Power()
    {
        return world.Is("power");
    }

    public override bool Seen(Person who)
    {
        return world.Is("seen", who);
    }

    public override ActionStatus ChangeFuse(int tick)
    {
        return World.Takes(2, tick, () => world.Write("true", "power"));
    }

    public override ActionStatus CloseDoor(Room room, int tick)
    {
        return World.Takes(1, tick, () => world.Write("false", "door_open", room));
    }

    public override ActionStatus Drink(int tick)
    {
        return World.Takes(2, tick, World.Nothing);
    }

    public override ActionStatus Load(int tick)
    {
        return World.Takes(2, tick, World.Nothing);
    }

    public override ActionStatus LookAround(Room room, int tick)
    {
        return World.Takes(3, tick, World.Nothing);
    }

    public override ActionStatus Radio(int tick)
    {
        return World.Takes(3, tick, World.Nothing);
    }

    public override ActionStatus Rest(int tick)
    {
        return World.Takes(4, tick, World.Nothing);
    }

    public override ActionStatus Shoot(Person who, int tick)
    {
        return World.Takes(1, tick, () => world.Write("true", "asleep", who));
    }

    public override ActionStatus Shout(int tick)
    {
        return World.Takes(1, tick, World.Nothing);
    }

    public override ActionStatus Sleep(int tick)
    {
        return World.Takes(10, tick, World.Nothing);
    }

    public override ActionStatus Switch(Room room, int tick)
    {
        return World.Takes(1, tick, () => world.Write("true", "lit", room));
    }

    public override ActionStatus Take(Item item, int tick)
    {
        return World.Takes(1, tick, World.Nothing);
    }

    public override ActionStatus TieUp(Person who, int tick)
    {
        return World.Takes(2, tick, World.Nothing);
    }

    public override ActionStatus Walk(Place to, int tick)
    {
        return World.Takes(2, tick, () => world.Write(to.Name, "place_of", Objects.Guard));
    }

    public override ActionStatus Write(int tick)
    {
        return World.Takes(2, tick, World.Nothing);
    }

    private static void Main()
    {
        var world = new World();
        world.Run(new Guard(world), new KeepWatchTask());
    }
}
