{%- macro summary(lines, indent) %}
{% if lines[1] %}
{{ indent }}/// <summary>
{% for line in lines %}
{{ indent }}/// {{ line }}
{% endfor %}
{{ indent }}/// </summary>
{% elif lines %}
{{ indent }}/// <summary>{{ lines[0] }}</summary>
{% endif %}
{% endmacro -%}
{%- macro statements(lines, indent) %}
{% for line in lines %}
{{ indent }}{{ line.indent }}
{%- if line.kind == "comment" %}// {{ line.text }}
{% elif line.kind == "if" %}if ({{ line.text }})
{% elif line.kind == "else" %}else
{% elif line.kind == "foreach" %}foreach (var {{ line.name }} in {{ line.text }})
{% elif line.kind == "open" %}{
{% elif line.kind == "close" %}}
{% elif line.kind == "set" %}var {{ line.name }} = {{ line.text }};
{% elif line.kind == "yield" %}yield return {{ line.text }}
{% elif line.kind == "go" %}foreach (var network in {{ line.name }}({{ line.text }})) yield return network;
{% else %}{{ line.text }}
{% endif %}
{% endfor %}
{% endmacro -%}
{%- macro asks(name, formula) %}
{% if formula %}

        public override bool {{ name }}(State s)
        {
            return {{ formula | replace("\n", "\n            ") }};
        }
{% endif %}
{% endmacro -%}
{%- macro constructor(task) %}
{% for param in task.params %}
        internal readonly {{ param.of }} {{ param.name }};
{% endfor %}
{% if task.params %}

{% endif %}
        public {{ task.class }}({% for param in task.params %}{{ param.of }} {{ param.name }}{% if not loop.last %}, {% endif %}{% endfor %})
            : base("{{ task.text }}"{% for param in task.params %}, {{ param.name }}{% endfor %})
        {
{% for param in task.params %}
            this.{{ param.name }} = {{ param.name }};
{% endfor %}
        }
{% endmacro -%}
// {{ title }}
{% if note %}
//
{% for line in note %}
// {{ line }}
{% endfor %}
{% endif %}
//
// Written by Taskloom; do not edit, export again. To use it:
// 1. Put this file and the folder Taskloom beside it into your project.
// 2. Derive a class from {{ agent }} and fill in its sensors and actions. An
//    action is called at every tick while its task runs, with the ticks since its
//    start; it answers Running until it is done.
// 3. Tell it what it knows: agent.Memory[Facts...] = ..., and of objects that this
//    file does not name: agent.Things.Add(...).
// 4. agent.Pursue(new ...Task()), then agent.Tick() as often as it may think (in
//    Unity from a MonoBehaviour's FixedUpdate).

using System;
using System.Collections.Generic;
using Taskloom;

namespace {{ namespace }}
{
{% for type in types %}
{{ summary(type.doc, "    ") }}
{%- if true %}    public class {{ type.class }} : {{ type.base }}
    {
        public {{ type.class }}(string name) : base(name)
        {
        }
    }

{% endif %}
{% endfor %}
    /// <summary>The objects that the domain names.</summary>
    public static class Objects
    {
{% for object in objects %}
{{ summary(object.doc, "        ") }}
{%- if true %}        public static readonly {{ object.class }} {{ object.field }} = new {{ object.class }}("{{ object.text }}");
{% endif %}
{% endfor %}
{% if objects %}

{% endif %}
        public static readonly Thing[] All =
        {
{% for object in objects %}
            {{ object.field }},
{% endfor %}
        };
    }

    /// <summary>Facts, and ground facts: a fact with objects for its arguments.</summary>
    public static class Facts
    {
{% for fact in facts %}
        public static readonly Fact {{ fact.field }} = new Fact("{{ fact.text }}", {% if fact.sensor %}(agent, args) => (({{ agent }})agent).{{ fact.sensor }}({{ fact.from_args }}){% else %}null{% endif %}{{ fact.range }});
{% endfor %}
{% for fact in facts %}

{{ summary(fact.doc, "        ") }}
{%- if true %}        public static Atom {{ fact.atom }}({{ fact.params }})
        {
            return new Atom({{ fact.field }}{% if fact.args %}, {{ fact.args }}{% endif %});
        }
{% endif %}
{% endfor %}
    }

    /// <summary>What can be asked of a state: facts and named conditions.</summary>
    public static class Questions
    {
{% for fact in facts %}
{% if not loop.first %}

{% endif %}
        public static {{ fact.value }} {{ fact.asked }}(this State s{% if fact.params %}, {{ fact.params }}{% endif %})
        {
{% if fact.kind == "bool" %}
            return s.Is(Facts.{{ fact.atom }}({{ fact.args }}));
{% elif fact.kind == "number" %}
            return s.Number(Facts.{{ fact.atom }}({{ fact.args }}));
{% else %}
            return ({{ fact.value }})s.Thing(Facts.{{ fact.atom }}({{ fact.args }}));
{% endif %}
        }
{% endfor %}
{% for condition in conditions %}

{{ summary(condition.doc, "        ") }}
{%- if true %}        public static bool {{ condition.asked }}(this State s{% if condition.params %}, {{ condition.params }}{% endif %})
        {
            return {{ condition.formula }};
        }
{% endif %}
{% endfor %}
    }

    /// <summary>The agent: its sensors say what is so, its actions do something about it.</summary>
    public abstract class {{ agent }} : Agent
    {
        protected {{ agent }}()
        {
            foreach (var thing in Objects.All)
            {
                Things.Add(thing);
            }
        }
{% for sensor in sensors %}

{{ summary(sensor.doc, "        ") }}
{%- if true %}        public abstract {{ sensor.value }} {{ sensor.sensor }}({{ sensor.params }});
{% endif %}
{% endfor %}
{% for action in actions %}

{{ summary(action.doc, "        ") }}
{%- if true %}        public abstract ActionStatus {{ action.method }}({{ action.params }}int tick);
{% endif %}
{% endfor %}
    }
{% for task in primitives %}

{{ summary(task.doc, "    ") }}
{%- if true %}    public sealed class {{ task.class }} : PrimitiveTask
    {
{{ constructor(task) }}
{%- endif %}
{{ asks("Precondition", task.preconditions) }}
{{- asks("Integrity", task.integrity) }}
{{- asks("Completion", task.completion) }}
{%- if task.cost %}

        public override double Cost(State s)
        {
            return {{ task.cost }};
        }
{% endif %}
{% if task.predict %}

        public override void Predict(State before, State after)
        {
{{ statements(task.predict, "            ") }}
{%- if true %}        }
{% endif %}
{% endif %}
{% if task.execute %}

        public override void Execute(State before, State after)
        {
{{ statements(task.execute, "            ") }}
{%- if true %}        }
{% endif %}
{% endif %}
{% if task.run %}

        public override ActionStatus Run(Agent agent, int tick)
        {
            return {{ task.run }};
        }
{% endif %}
    }
{% endfor %}
{% for task in compounds %}

{{ summary(task.doc, "    ") }}
{%- if true %}    public sealed class {{ task.class }} : CompoundTask
    {
{{ constructor(task) }}
{%- endif %}
{{ asks("Precondition", task.preconditions) }}
{{- asks("Integrity", task.integrity) }}
{%- for function in task.functions %}

{% if function.name %}
        // From here on: {{ function.doc }}
        private IEnumerable<Network> {{ function.name }}(State s, {{ function.params }})
{% else %}
        public override IEnumerable<Network> Decompose(State s)
{% endif %}
        {
{{ statements(function.lines, "            ") }}
{%- if function.is_empty %}            yield break;
{% endif %}
        }
{% endfor %}
    }
{% endfor %}
}
