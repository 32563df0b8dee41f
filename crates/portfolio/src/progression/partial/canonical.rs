//! A canonical order, so that equal networks have equal encodings.

use smallvec::SmallVec;

use super::Item;

fn mix(value: u64) -> u64 {
    let value = (value ^ (value >> 32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    value ^ (value >> 29)
}

/// Returns an order that depends only on the structure, except for tasks that their predecessors
/// and successors do not distinguish. Predecessors come first.
pub(super) fn order(items: &[Item]) -> Vec<u32> {
    let len = items.len();
    let mut waiting: Vec<u32> = items.iter().map(|i| i.before.len() as u32).collect();
    let mut after: Vec<SmallVec<[u32; 4]>> = vec![SmallVec::new(); len];
    for (number, item) in (0u32..).zip(items) {
        item.before
            .iter()
            .for_each(|b| after[*b as usize].push(number));
    }
    let mut order: Vec<u32> = (0..len as u32)
        .filter(|i| waiting[*i as usize] == 0)
        .collect();
    let mut level = vec![0u32; len];
    let mut down: Vec<u64> = vec![0; len];
    let mut next = 0;
    while let Some(number) = order.get(next).copied() {
        next += 1;
        let item = number as usize;
        down[item] = mix(down[item].wrapping_add(u64::from(items[item].code) + 1));
        for follower in &after[item] {
            let follower = *follower as usize;
            down[follower] = down[follower].wrapping_add(mix(down[item]));
            level[follower] = level[follower].max(level[item] + 1);
            waiting[follower] -= 1;
            if waiting[follower] == 0 {
                order.push(follower as u32);
            }
        }
    }
    let mut up: Vec<u64> = vec![0; len];
    for item in order.iter().rev() {
        let item = *item as usize;
        up[item] = mix(up[item].wrapping_add(u64::from(items[item].code) + 1));
        for before in &items[item].before {
            let before = *before as usize;
            up[before] = up[before].wrapping_add(mix(up[item] ^ 0x5555));
        }
    }
    order.sort_by_key(|i| {
        let item = *i as usize;
        (level[item], mix(down[item]) ^ up[item])
    });
    order
}
