// The run-time part of domains exported by Taskloom: objects, facts and states. Independent of game
// engine and domain: every exported domain uses the same files. C# 7, no dependencies.

namespace Taskloom
{
    using global::System;
    using global::System.Collections;
    using global::System.Collections.Generic;

    /// <summary>An object of the world that tasks and facts are about.</summary>
    public class Thing
    {
        internal readonly string Key;

        public Thing(string name)
        {
            Name = name;
            Key = name.ToLowerInvariant();
        }

        /// <summary>Its name: the planner tries objects in order of their names.</summary>
        public string Name { get; }

        public override string ToString()
        {
            return Name;
        }
    }

    /// <summary>The objects that an agent plans with, in order of their names.</summary>
    public sealed class Things
    {
        private readonly List<Thing> all = new List<Thing>();
        private readonly Dictionary<Type, Array> byType = new Dictionary<Type, Array>();

        public void Add(Thing thing)
        {
            var at = all.FindIndex(t => string.CompareOrdinal(t.Key, thing.Key) >= 0);
            if (at >= 0 && all[at].Key == thing.Key)
            {
                throw new ArgumentException("An object named '" + thing.Name + "' already exists.");
            }
            all.Insert(at < 0 ? all.Count : at, thing);
            byType.Clear();
        }

        public void Remove(Thing thing)
        {
            all.Remove(thing);
            byType.Clear();
        }

        /// <summary>Returns the objects of a type and its subtypes.</summary>
        public T[] Of<T>() where T : Thing
        {
            if (!byType.TryGetValue(typeof(T), out var found))
            {
                var list = new List<T>();
                foreach (var thing in all)
                {
                    if (thing is T t)
                    {
                        list.Add(t);
                    }
                }
                found = list.ToArray();
                byType[typeof(T)] = found;
            }
            return (T[])found;
        }
    }

    /// <summary>A state variable: true or false, a number, or an object.</summary>
    public sealed class Fact
    {
        public readonly string Name;
        /// <summary>Reads its value from an agent's sensor; null for a fact of memory.</summary>
        public readonly Func<Agent, Thing[], Value> Sensor;

        private readonly bool integer;
        private readonly double min, max;

        public Fact(string name, Func<Agent, Thing[], Value> sensor, bool integer = false,
            double min = double.NegativeInfinity, double max = double.PositiveInfinity)
        {
            Name = name;
            Sensor = sensor;
            this.integer = integer;
            this.min = min;
            this.max = max;
        }

        /// <summary>Returns true if a number is within its range.</summary>
        public bool Allows(double number)
        {
            return number >= min && number <= max && !double.IsInfinity(number)
                && (!integer || Math.Floor(number) == number);
        }
    }

    /// <summary>A ground fact: a fact applied to objects.</summary>
    public struct Atom : IEquatable<Atom>
    {
        private static readonly Thing[] NoArguments = new Thing[0];
        private readonly Thing[] arguments;

        public Atom(Fact fact, params Thing[] arguments)
        {
            Fact = fact;
            this.arguments = arguments;
        }

        public Fact Fact { get; }

        public Thing[] Arguments
        {
            get { return arguments ?? NoArguments; }
        }

        /// <summary>True if no argument is null: a fact about null has no value.</summary>
        public bool IsGround
        {
            get { return Array.IndexOf(Arguments, null) < 0; }
        }

        public bool Equals(Atom other)
        {
            if (!ReferenceEquals(Fact, other.Fact) || Arguments.Length != other.Arguments.Length)
            {
                return false;
            }
            for (var i = 0; i < Arguments.Length; i++)
            {
                if (!ReferenceEquals(Arguments[i], other.Arguments[i]))
                {
                    return false;
                }
            }
            return true;
        }

        public override bool Equals(object other)
        {
            return other is Atom atom && Equals(atom);
        }

        public override int GetHashCode()
        {
            var hash = Fact.GetHashCode();
            foreach (var argument in Arguments)
            {
                hash = unchecked(hash * 31 + (argument == null ? 0 : argument.GetHashCode()));
            }
            return hash;
        }

        public override string ToString()
        {
            return Text.Call(Fact.Name, Arguments);
        }
    }

    /// <summary>The value of a ground fact. The default is false, 0 and null.</summary>
    public struct Value : IEquatable<Value>
    {
        public readonly double Number;
        public readonly Thing Thing;

        private Value(double number, Thing thing)
        {
            Number = number;
            Thing = thing;
        }

        public static implicit operator Value(bool value)
        {
            return new Value(value ? 1 : 0, null);
        }

        public static implicit operator Value(double value)
        {
            return new Value(value + 0.0, null);
        }

        public static implicit operator Value(Thing value)
        {
            return new Value(0, value);
        }

        public bool IsTrue
        {
            get { return Number != 0; }
        }

        public bool Equals(Value other)
        {
            return Number.Equals(other.Number) && ReferenceEquals(Thing, other.Thing);
        }

        public override bool Equals(object other)
        {
            return other is Value value && Equals(value);
        }

        public override int GetHashCode()
        {
            return Number.GetHashCode() ^ (Thing == null ? 0 : Thing.GetHashCode());
        }
    }

    /// <summary>The facts of memory, written by the effects of executed tasks.</summary>
    public sealed class Memory : IEnumerable<KeyValuePair<Atom, Value>>
    {
        internal readonly Dictionary<Atom, Value> Values = new Dictionary<Atom, Value>();

        /// <summary>Enumerates all values that differ from the default.</summary>
        public IEnumerator<KeyValuePair<Atom, Value>> GetEnumerator()
        {
            return Values.GetEnumerator();
        }

        IEnumerator IEnumerable.GetEnumerator()
        {
            return Values.GetEnumerator();
        }

        public Value this[Atom atom]
        {
            get
            {
                Values.TryGetValue(atom, out var value);
                return value;
            }
            set
            {
                if (value.Equals(default(Value)))
                {
                    Values.Remove(atom);
                }
                else
                {
                    Values[atom] = value;
                }
            }
        }
    }

    /// <summary>
    /// The world as an agent knows it at one moment (its sensor readings, taken when first
    /// needed, and its memory), with the changes of a partial plan.
    /// </summary>
    public sealed class State
    {
        private readonly Agent agent;
        private readonly Dictionary<Atom, Value> known;
        private readonly Dictionary<Atom, Value> changes;
        /// <summary>The numeric facts that were written.</summary>
        private readonly List<Atom> numbers = new List<Atom>();

        internal State(Agent agent)
        {
            this.agent = agent;
            known = new Dictionary<Atom, Value>(agent.Memory.Values);
            changes = new Dictionary<Atom, Value>();
        }

        private State(State other)
        {
            agent = other.agent;
            known = other.known;
            changes = new Dictionary<Atom, Value>(other.changes);
        }

        /// <summary>The agent's own object.</summary>
        public Thing Me
        {
            get { return MeAs<Thing>(); }
        }

        /// <summary>The agent's own object, as the type that a task or condition requires.</summary>
        public T MeAs<T>() where T : Thing
        {
            var me = agent.Me as T;
            if (me != null)
            {
                return me;
            }
            var required = typeof(T).Name;
            throw new InvalidOperationException(agent.Me == null
                ? "The agent has no Me. Set it to the agent's " + required + " before calling Pursue."
                : "The agent's Me, '" + agent.Me.Name + "', is a " + agent.Me.GetType().Name
                    + ", but its tasks require a " + required + ".");
        }

        /// <summary>The time at which the plan is made.</summary>
        public double Now
        {
            get { return agent.Now; }
        }

        /// <summary>
        /// True if a change was impossible: its value was undefined or null, or one of its
        /// arguments was null.
        /// </summary>
        internal bool IsImpossible { get; private set; }

        internal IEnumerable<KeyValuePair<Atom, Value>> Changes
        {
            get { return changes; }
        }

        internal State Copy()
        {
            return new State(this);
        }

        private Value Known(Atom atom)
        {
            if (!known.TryGetValue(atom, out var value) && atom.Fact.Sensor != null)
            {
                value = atom.Fact.Sensor(agent, atom.Arguments);
                known[atom] = value;
            }
            return value;
        }

        private Value Read(Atom atom)
        {
            return changes.TryGetValue(atom, out var value) ? value : Known(atom);
        }

        public bool Is(Atom atom)
        {
            return atom.IsGround && Read(atom).IsTrue;
        }

        public double Number(Atom atom)
        {
            return atom.IsGround ? Read(atom).Number : double.NaN;
        }

        public Thing Thing(Atom atom)
        {
            return atom.IsGround ? Read(atom).Thing : null;
        }

        /// <summary>Returns the objects of a type, in order of their names.</summary>
        public T[] All<T>() where T : Thing
        {
            return agent.Things.Of<T>();
        }

        /// <summary>Returns true if the predicate holds for some object of a type.</summary>
        public bool Exists<T>(Predicate<T> holds) where T : Thing
        {
            return Array.Exists(All<T>(), holds);
        }

        /// <summary>Returns true if the predicate holds for every object of a type.</summary>
        public bool ForAll<T>(Predicate<T> holds) where T : Thing
        {
            return Array.TrueForAll(All<T>(), holds);
        }

        /// <summary>Folds a number over the objects of a type, in order of their names.</summary>
        public double Fold<T>(double start, Func<double, T, double> step) where T : Thing
        {
            foreach (var thing in All<T>())
            {
                start = step(start, thing);
            }
            return start;
        }

        /// <summary>Returns true if both are the same object; null doesn't equal null.</summary>
        public bool Same(Thing a, Thing b)
        {
            return a != null && ReferenceEquals(a, b);
        }

        /// <summary>Returns the result, or NaN, for which every comparison is false, if it overflows.</summary>
        public double Finite(double result)
        {
            return double.IsInfinity(result) ? double.NaN : result;
        }

        /// <summary>Returns the quotient, or NaN if it is undefined.</summary>
        public double Divide(double a, double b)
        {
            return double.IsInfinity(b) ? double.NaN : Rounded(a / b);
        }

        /// <summary>
        /// Returns the number that is the result of an operation on decimals, or NaN if it overflows:
        /// ten times 0.1 is exactly 1. A result that differs by less than the error of the operation
        /// from a number with six decimal places is that number.
        /// </summary>
        public double Rounded(double result)
        {
            var size = Math.Abs(result);
            if (!(size < 9007199254740992) || Math.Floor(size) == size)
            {
                return Finite(result) + 0.0;
            }
            var places = size < 1e9 ? 1e6 : size < 1e12 ? 1e3 : 1;
            var scaled = Math.Floor(size * places + 0.5);
            var nearest = Math.Sign(result) * (scaled / places);
            var isNear = scaled != 0 && Math.Abs(result - nearest) <= 1e-9;
            return size >= 1e6 || isNear ? nearest : result;
        }

        /// <summary>Returns the objects of a type in ascending order; those without a number come last.</summary>
        public List<T> All<T>(Func<T, bool> where, Func<T, double> orderBy) where T : Thing
        {
            var keyed = new List<KeyValuePair<double, T>>();
            foreach (var thing in All<T>())
            {
                if (where(thing))
                {
                    var key = Finite(orderBy(thing));
                    var at = keyed.FindIndex(k =>
                        double.IsNaN(k.Key) ? !double.IsNaN(key) : key < k.Key);
                    keyed.Insert(at < 0 ? keyed.Count : at, new KeyValuePair<double, T>(key, thing));
                }
            }
            return keyed.ConvertAll(k => k.Value);
        }

        public void Write(Atom atom, bool value)
        {
            Change(atom, value);
        }

        /// <summary>Writes an object.</summary>
        public void Write(Atom atom, Thing value)
        {
            IsImpossible |= value == null;
            Change(atom, value);
        }

        /// <summary>Writes a number. It must be in the fact's range once all changes are made.</summary>
        public void Write(Atom atom, double value)
        {
            IsImpossible |= double.IsNaN(value);
            numbers.Add(atom);
            Change(atom, value);
        }

        /// <summary>Adds to a number, after all other changes.</summary>
        public void Add(Atom atom, double value)
        {
            Write(atom, Rounded(Number(atom) + value));
        }

        private void Change(Atom atom, Value value)
        {
            if (!atom.IsGround)
            {
                IsImpossible = true;
            }
            else if (Known(atom).Equals(value))
            {
                changes.Remove(atom);
            }
            else
            {
                changes[atom] = value;
            }
        }

        /// <summary>Ends a task's changes; returns true if all of them were possible.</summary>
        internal bool Settle()
        {
            return !IsImpossible && numbers.TrueForAll(atom => atom.Fact.Allows(Number(atom)));
        }

        internal int ChangeHash()
        {
            var hash = 0;
            foreach (var change in changes)
            {
                hash = unchecked(hash + (change.Key.GetHashCode() * 31 ^ change.Value.GetHashCode()));
            }
            return hash;
        }

        internal bool SameAs(State other)
        {
            if (changes.Count != other.changes.Count)
            {
                return false;
            }
            foreach (var change in changes)
            {
                if (!other.changes.TryGetValue(change.Key, out var value) || !value.Equals(change.Value))
                {
                    return false;
                }
            }
            return true;
        }
    }

    internal static class Text
    {
        public static string Call(string name, Thing[] arguments)
        {
            return arguments.Length == 0
                ? name
                : name + "(" + string.Join(", ", Array.ConvertAll(arguments, a => a == null ? "none" : a.Name)) + ")";
        }
    }
}
