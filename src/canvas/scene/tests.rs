use super::*;
use taskloom_document::Port;

pub fn node(letter: char) -> Node {
    Node::Block(letter.to_string().parse().unwrap())
}

/// Port 0 is the input, port 1 the output.
pub fn end(letter: char, port: u8) -> End {
    let port = match port {
        0 => Slot::In,
        _ => Slot::Out(Port::Out),
    };
    let node = node(letter);
    End { node, port }
}

/// The first wire leads from A to B, the second one from B to C.
pub fn wire(number: u8) -> Wire {
    let (from, to) = if number == 1 { ('A', 'B') } else { ('B', 'C') };
    Wire {
        from: end(from, 1),
        to: end(to, 0),
    }
}

/// A -> B -> C in a row of boxes of 100 x 40 with 100 between them, D below B unwired.
pub fn row() -> Scene {
    let socket = |end: End, x| Socket {
        port: end.port,
        at: Vec2::new(x, 20.0),
    };
    let shape = |x, y| Shape {
        rect: Rect::at(Vec2::new(x, y), 100.0, 40.0),
        sockets: vec![socket(end('A', 0), 0.0), socket(end('A', 1), 100.0)],
        head: 36.0,
        colour: Colour::Primitive,
    };
    let nodes = [
        ('A', shape(0.0, 0.0)),
        ('B', shape(200.0, 0.0)),
        ('C', shape(400.0, 0.0)),
        ('D', shape(200.0, 200.0)),
    ];
    Scene::new(
        nodes.map(|(letter, shape)| (node(letter), shape)).into(),
        [1, 2]
            .map(|number| (wire(number), Colour::LineStrong))
            .into(),
    )
}

fn hit(x: f64, y: f64) -> Hit {
    row().hit(Vec2::new(x, y), 6.0, &BTreeSet::new())
}

#[test]
fn ports_are_hit_before_nodes_and_nodes_before_wires() {
    assert_eq!(hit(98.0, 22.0), Hit::Socket(end('A', 1)));
    assert_eq!(hit(50.0, 20.0), Hit::Node(node('A')));
    assert_eq!(hit(150.0, 23.0), Hit::Wire(wire(1)));
    assert_eq!(hit(188.0, 20.0), Hit::WireEnd(wire(1), Side::Input));
    assert_eq!(hit(115.0, 20.0), Hit::WireEnd(wire(1), Side::Output));
    assert_eq!(hit(150.0, 60.0), Hit::Empty);
}

#[test]
fn zoomed_out_hits_prefer_nodes_to_ports_and_wires() {
    let far = |x, y| row().hit(Vec2::new(x, y), 200.0, &BTreeSet::new());
    assert_eq!(far(98.0, 22.0), Hit::Node(node('A')));
    assert_eq!(far(150.0, 60.0), Hit::Empty);
    assert_eq!(far(150.0, 23.0), Hit::Wire(wire(1)));
}

#[test]
fn raised_node_is_hit_where_nodes_overlap() {
    let mut scene = row();
    let over = scene.nodes[&node('A')].clone();
    scene.nodes.insert(node('B'), over);
    let p = Vec2::new(50.0, 20.0);
    assert_eq!(scene.hit(p, 6.0, &BTreeSet::new()), Hit::Node(node('B')));
    assert_eq!(scene.hit(p, 6.0, &[node('A')].into()), Hit::Node(node('A')));
}

#[test]
fn frames_are_dragged_by_title_or_corner_with_their_contents() {
    let mut scene = row();
    let frame = Node::Frame("f".parse().unwrap());
    let shape = Shape {
        rect: Rect::at(Vec2::new(-20.0, -50.0), 360.0, 200.0),
        sockets: vec![],
        head: TITLE,
        colour: Colour::LineStrong,
    };
    scene.nodes.insert(frame.clone(), shape);
    let scene = Scene::new(scene.nodes, scene.wires);
    let hit = |x, y| scene.hit(Vec2::new(x, y), 6.0, &BTreeSet::new());
    assert_eq!(hit(50.0, -40.0), Hit::Node(frame.clone()));
    assert_eq!(hit(330.0, 140.0), Hit::Corner(frame.clone()));
    assert_eq!(hit(50.0, 100.0), Hit::Empty);
    assert_eq!(hit(50.0, 20.0), Hit::Node(node('A')), "it is behind");
    let all = [frame.clone(), node('A'), node('B')].into();
    let framed = [frame].into();
    assert_eq!(scene.with_contents(&framed), all);
    assert_eq!(scene.frames_around_only(&all), framed);
    let inside = Rect::between(Vec2::new(-10.0, -10.0), Vec2::new(50.0, 20.0));
    assert_eq!(scene.touching(&inside).nodes, [node('A')].into());
    let whole = Rect::between(Vec2::new(-30.0, -60.0), Vec2::new(341.0, 151.0));
    let whole = scene.touching(&whole).nodes;
    assert!(framed.iter().all(|frame| whole.contains(frame)));
    assert_eq!(scene.frames_around_only(&[node('A')].into()), [].into());
    let mut over_the_edge = scene.nodes.clone();
    let shape = over_the_edge.get_mut(&node('B')).unwrap();
    shape.rect = shape.rect.moved(Vec2::new(41.0, 0.0));
    let scene = Scene::new(over_the_edge, scene.wires.clone());
    let all = [Node::Frame("f".parse().unwrap()), node('A')].into();
    assert_eq!(scene.with_contents(&framed), all, "B is only partly in it");
    assert_eq!(scene.with_contents(&[node('A')].into()), [node('A')].into());
}

#[test]
fn marquee_selects_everything_it_touches() {
    let rect = Rect::between(Vec2::new(140.0, -10.0), Vec2::new(210.0, 60.0));
    let touched = row().touching(&rect);
    assert_eq!(touched.nodes, [node('B')].into());
    assert_eq!(touched.wires, [wire(1)].into());
}

#[test]
fn blocks_drop_on_wires_other_than_their_own() {
    let scene = row();
    let over_second = Rect::at(Vec2::new(310.0, 0.0), 80.0, 40.0);
    assert_eq!(scene.wire_under(&node('D'), &over_second), Some(&wire(2)));
    assert_eq!(scene.wire_under(&node('C'), &over_second), None);
    assert_eq!(
        scene.wire_under(&node('D'), &over_second.moved(Vec2::new(0.0, 90.0))),
        None
    );
}

#[test]
fn finds_neighbours_and_downstream_nodes() {
    let scene = row();
    assert_eq!(
        scene.neighbour(&node('A'), Direction::Right),
        Some(&node('B'))
    );
    assert_eq!(
        scene.neighbour(&node('B'), Direction::Down),
        Some(&node('D'))
    );
    assert_eq!(scene.neighbour(&node('A'), Direction::Left), None);
    assert_eq!(
        scene.downstream(&[node('B')].into()),
        [node('B'), node('C')].into()
    );
}

#[test]
fn new_blocks_are_placed_in_free_space_below() {
    let scene = row();
    let free = scene.free_place(Vec2::new(203.0, 4.0), 100.0, 40.0, 10.0);
    assert_eq!(free, Vec2::new(200.0, 60.0));
    assert_eq!(
        scene.free_place(Vec2::new(1000.0, 4.0), 100.0, 40.0, 10.0),
        Vec2::new(1000.0, 0.0)
    );
}
