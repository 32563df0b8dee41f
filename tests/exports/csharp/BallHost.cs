// The robot of the ball in the box, implemented by hand.

using Taskloom;
using TheBallInTheBox;

internal sealed class Robot : TheBallInTheBoxAgent
{
    private readonly World world;

    private Robot(World world)
    {
        this.world = world;
        foreach (var item in Things.Of<Item>())
        {
            Memory[Facts.Has(item)] = world.Is("has", item);
            foreach (var place in Things.Of<Place>())
            {
                Memory[Facts.ItemAt(item, place)] = world.Is("item_at", item, place);
            }
        }
    }

    public override bool At(Place place)
    {
        return world.Is("at", place);
    }

    public override bool BallInBox()
    {
        return world.Is("ball_in_box");
    }

    public override bool BoxLocked()
    {
        return world.Is("box_locked");
    }

    public override bool BoxOpen()
    {
        return world.Is("box_open");
    }

    public override ActionStatus OpenBox(int tick)
    {
        return World.Takes(1, tick, () => world.Write("true", "box_open"));
    }

    public override ActionStatus PickUp(Item item, int tick)
    {
        return World.Takes(1, tick, World.Nothing);
    }

    public override ActionStatus Smash(int tick)
    {
        return World.Takes(4, tick, () => world.Write("true", "box_open"));
    }

    public override ActionStatus TakeBall(int tick)
    {
        return World.Takes(2, tick, () => world.Write("false", "ball_in_box"));
    }

    public override ActionStatus UnlockBox(int tick)
    {
        return World.Takes(2, tick, () => world.Write("false", "box_locked"));
    }

    public override ActionStatus WalkTo(Place place, int tick)
    {
        return World.Takes(3, tick, () =>
        {
            foreach (var other in Things.Of<Place>())
            {
                world.Write(other == place ? "true" : "false", "at", other);
            }
        });
    }

    private static void Main()
    {
        var world = new World();
        world.Run(new Robot(world), new GetBallTask());
    }
}
