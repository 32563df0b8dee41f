//! Domains in the language of test domains, by title; the scenario is `s`.

/// Small domains, each for one feature.
pub const DOMAINS: &[(&str, &str)] = &[
    (
        "Unordered",
        "
type thing
object a: thing
fact done(?x: thing)
fact first
primitive one
  pre first
  eff done(a)
primitive two
  eff first
primitive three
  pre done(a)
compound go
  block b begin
  block c task one
  block d task two
  block e task three
  wire b.out -> c
  wire b.out -> d
  wire c.out -> e
  wire d.out -> e
scenario s
  task go
",
    ),
    (
        "Interleaved",
        "
fact lent
fact used
primitive lend
  pre not lent
  eff lent
primitive return
  pre lent and used
  eff not lent
primitive use
  pre lent
  eff used
compound borrow
  sequence lend; return
compound go
  block b begin
  block c task borrow
  block d task use
  wire b.out -> c
  wire b.out -> d
scenario s
  task go
",
    ),
    (
        "Repeated",
        "
type thing
object a: thing
object b: thing
number done(?x: thing)
number said
fact fit(?x: thing)
primitive work(?x: thing)
  pre fit(?x)
  eff done(?x) += 1
primitive say
  pre done(b) >= said
  eff said += 1
primitive rest
  pre done(b) = 4 and said = 2
compound pair(?x: thing)
  block b begin
  block c task work(?x) repeat 2
  wire b.out -> c
compound go
  block b begin
  block c bind ?x: thing where fit(?x)
  block d task pair(?x) repeat 2
  block e task say repeat 2
  block f task rest
  wire b.out -> c
  wire c.out -> d
  wire c.out -> e
  wire d.out -> f
  wire e.out -> f
scenario s
  initial fit(b)
  task go
",
    ),
    (
        "RepeatedWhile",
        "
type thing
object a: thing
object b: thing
number done(?x: thing)
number said
fact fit(?x: thing)
primitive work(?x: thing)
  eff done(?x) += 1
primitive tire(?x: thing)
  eff not fit(?x)
primitive say
  eff said += 1
primitive rest
  pre done(b) = 3 and said = 1
compound pair(?x: thing)
  block b begin
  block c task work(?x) repeat 5 while done(?x) < 3 and fit(?x)
  block d task tire(?x)
  wire b.out -> c
  wire c.out -> d
compound go
  block b begin
  block c bind ?x: thing where fit(?x)
  block d task pair(?x) repeat 2 while fit(?x)
  block e task say while said < 1
  block f task say while said < 1
  block g task rest
  wire b.out -> c
  wire c.out -> d
  wire d.out -> e
  wire e.out -> f
  wire f.out -> g
scenario s
  initial fit(b)
  task go
",
    ),
    (
        "GoalsOfTasks",
        "
type thing
object a: thing
object b: thing
object c: thing
fact has(?x: thing)
fact sold(?x: thing)
primitive buy(?x: thing)
  pre sold(?x)
  eff has(?x)
primitive rest
compound get(?x: thing)
  goal has(?x)
  block s begin
  block b task buy(?x)
  wire s.out -> b
compound keep(?x: thing)
  goal has(?x)
compound go
  block s begin
  block d choice all, some
  block a task get(a)
  block b task get(b)
  block c task get(c)
  block e task keep(a)
  block f task rest
  wire s.out -> a
  wire a.out -> b
  wire b.out -> d
  wire d.1 -> c
  wire d.2 -> e
  wire e.out -> f
scenario s
  initial has(a)
  initial sold(b)
  task go
",
    ),
    (
        "BindInOrder",
        "
type place
object far: place
object near: place
object mid: place
object none-here: place
number distance(?p: place)
fact safe(?p: place)
fact been(?p: place)
primitive walk(?p: place)
  pre safe(?p)
  eff been(?p)
compound go
  block b begin
  block c bind ?p: place where ?p != none-here by -distance(?p)
  block d task walk(?p)
  wire b.out -> c
  wire c.out -> d
scenario s
  initial distance(far) = 10
  initial distance(mid) = 5
  initial distance(near) = 1
  initial safe(near)
  initial safe(mid)
  task go
",
    ),
    (
        "BindOnOneSide",
        "
type thing
object a: thing
object b: thing
object base: thing
fact likes(?x: thing)
fact got(?object: thing)
fact known
primitive take(?object: thing)
  eff got(?object)
compound go(?object: thing)
  block b begin
  block q branch known
  block c bind ?object: thing where likes(?object)
  block d task take(?object)
  block e task take(base)
  wire b.out -> q
  wire q.true -> c
  wire q.false -> d
  wire c.out -> d
  wire d.out -> e
scenario s
  initial likes(b)
  initial known
  task go(a)
",
    ),
    (
        "Figures",
        "
type thing
object gun: thing
number ammo(?x: thing) integer 0..6
number heat
number zero
fact cold
primitive shoot
  pre ammo(gun) >= 1 and heat / 2 < 2
  eff ammo(gun) -= 1
  eff heat += 1.5 * 2 - 1
  cost 1 + heat
primitive cool
  pre heat > 0 and not (1 / zero > 0)
  eff heat := -1 + 1
  eff cold when heat >= 4
primitive load
  eff ammo(gun) += 4
compound fire
  block b begin
  block c choice shoot, cool
  block d task shoot
  block e task cool
  block f branch ammo(gun) != 0 imply not cold
  block g task fire
  wire b.out -> c
  wire c.1 -> d
  wire c.2 -> e
  wire d.out -> f
  wire e.out -> f
  wire f.true -> g
compound go
  sequence load; load; fire
scenario s
  task go
compound try
  block b begin
  block c choice many, few
  block d task go
  block e task load
  block f task shoot
  block g task shoot
  block h task cool
  wire b.out -> c
  wire c.1 -> d
  wire c.2 -> e
  wire e.out -> f
  wire f.out -> g
  wire g.out -> h
scenario s
  task try
",
    ),
    (
        "ObjectFacts",
        "
type place
type person
object me: person
object you: person
object hill: place
object dale: place
value place_of(?p: person): place
value friend(?p: person): person
fact seen(?p: place)
fact met
condition together(?a: person, ?b: person): place_of(?a) = place_of(?b)
primitive walk(?to: place)
  pre place_of(me) != ?to
  eff place_of(me) := ?to
  eff seen(place_of(me)) when place_of(me) = dale
primitive meet(?p: person)
  pre together(me, ?p)
  eff met
primitive follow
  eff place_of(me) := place_of(friend(me))
compound go
  block b begin
  block c branch exists ?p: person. ?p != me and not together(me, ?p)
  block d task walk(place_of(friend(me)))
  block e task meet(friend(me))
  wire b.out -> c
  wire c.true -> d
  wire d.out -> e
compound try
  block b begin
  block c choice lost, found
  block d task walk(place_of(friend(you)))
  block e task follow
  block f task go
  block g task walk(dale)
  wire b.out -> c
  wire c.1 -> d
  wire c.2 -> g
  wire g.out -> e
  wire e.out -> f
  wire g.out -> f
scenario s
  initial place_of(you) = hill
  initial friend(me) = you
  task try
compound again
  block b begin
  block c choice go, walk
  block d task try
  block e task walk(dale)
  block f task go
  wire b.out -> c
  wire c.1 -> d
  wire c.2 -> e
  wire e.out -> f
scenario s
  initial place_of(you) = hill
  initial friend(me) = you
  task again
",
    ),
    (
        "Effects",
        "
type thing
type tool: thing
object a: thing
object b: tool
object c: tool
fact on(?x: thing)
fact old(?x: thing)
fact planned
fact tried
primitive flip
  eff forall ?x: thing. on(?x) when not on(?x)
  eff forall ?x: thing. not on(?x) when on(?x)
  eff forall ?x: tool, ?y: tool. old(?x) when on(?x) and not on(?y)
  eff tried
  eff not tried
compound go
  sequence flip; flip; flip
scenario s
  initial on(b)
  task go
",
    ),
    (
        "Recursion",
        "
fact ready
number left integer 0..9
primitive count
  pre left >= 1
  eff left -= 1
primitive nothing
compound round-in-circles
  block b begin
  block c choice again, stop
  block d task nothing
  block e task round-in-circles
  block f task count
  wire b.out -> c
  wire c.1 -> d
  wire d.out -> e
  wire c.2 -> f
compound down
  block b begin
  block c branch left >= 1
  block d task count
  block e task down
  wire b.out -> c
  wire c.true -> d
  wire d.out -> e
  wire c.false -> f
  block f end
compound go
  sequence round-in-circles; down
scenario s
  initial left = 5
  task go
",
    ),
    (
        "NamesThatMeet",
        "
type thing
type state: thing
object a-b: state
object ab: state
object ab2: thing
fact at(?s: thing)
fact is(?x: thing)
fact number
condition write(?base: thing): at(?base) and is(?base)
condition a-t(?x: thing): is(?x)
primitive at(?tick: state)
  pre at(?tick)
  eff is(?tick)
primitive a-t(?before: thing)
  pre write(?before) and a-t(?before)
  eff number
compound scheme(?object: thing)
  block b begin
  block c bind ?network: state where at(?network) and forall ?s: state. at(?s) or ?s = ab
  block d task at(?network)
  block e task a-t(?network)
  wire b.out -> c
  wire c.out -> d
  wire d.out -> e
scenario s
  initial at(a-b)
  task scheme(ab2)
",
    ),
    (
        "DeepBranches",
        "
type thing
object x: thing
object y: thing
fact f(?x: thing)
fact seen(?x: thing)
primitive see(?x: thing)
  eff seen(?x)
compound go
  block a begin
  block b branch f(x)
  block c branch f(y)
  block d branch f(x) or f(y)
  block e branch f(x) and not f(y)
  block g bind ?p: thing where f(?p)
  block h bind ?q: thing where ?p != ?q
  block i branch f(?q)
  block j branch not f(?q)
  block k branch f(?p)
  block l bind ?r: thing where ?r = ?q
  block m branch ?r != ?p
  block n branch true
  block o task see(?r)
  block p task see(?p)
  block q end
  wire a.out -> b
  wire b.true -> c
  wire b.false -> c
  wire c.false -> d
  wire d.true -> e
  wire e.true -> g
  wire g.out -> h
  wire h.out -> i
  wire i.false -> j
  wire j.true -> k
  wire k.true -> l
  wire l.out -> m
  wire m.true -> n
  wire n.true -> o
  wire o.out -> p
  wire p.out -> q
scenario s
  initial f(x)
  task go
",
    ),
];

/// A chain of conditions, a long method and a wide one.
pub fn large() -> String {
    let mut text = String::from("fact f\nnumber n\nprimitive count\n  eff n += 1\n");
    text += "condition c0: f or n > 5\n";
    for number in 1..200 {
        text += &format!(
            "condition c{number}: not c{} and not c{}\n",
            number - 1,
            number - 1
        );
    }
    let calls = vec!["count"; 400].join("; ");
    text += &format!("compound long\n  sequence {calls}\n");
    text += "compound wide\n  block b begin\n";
    for number in 0..200 {
        text += &format!("  block w{number} task count\n  wire b.out -> w{number}\n");
    }
    text += "compound go\n  pre not c199\n  block b begin\n  block c choice long, wide\n";
    text += "  block d task long\n  block e task wide\n  wire b.out -> c\n  wire c.1 -> d\n";
    text + "  wire c.2 -> e\nscenario s\n  task go\n"
}
