// Byte-pair encoding: the pair with the lowest rank is joined first, of equal ones the leftmost.

const PAIR = 2 ** 21; // more than any vocabulary has tokens

/**
 * @param {number[]} ids the characters of a word
 * @param {Map<number, [number, number]>} merges by pair: rank, and the id of both together
 */
export function mergedIds(ids, merges) {
  const count = ids.length;
  if (count < 2) return ids;
  ids = [...ids];
  const next = ids.map((_, i) => i + 1);
  const previous = ids.map((_, i) => i - 1);
  const heap = new Heap();
  const offer = (left) => {
    const right = next[left];
    if (right >= count) return;
    const merge = merges.get(ids[left] * PAIR + ids[right]);
    if (merge) heap.push({ rank: merge[0], left, right, id: merge[1], leftId: ids[left], rightId: ids[right] });
  };
  for (let i = 0; i + 1 < count; i++) offer(i);
  for (let pair = heap.pop(); pair; pair = heap.pop()) {
    const { left, right, id, leftId, rightId } = pair;
    if (ids[left] !== leftId || next[left] !== right || ids[right] !== rightId) continue; // one of them was joined
    ids[left] = id;
    ids[right] = -1;
    next[left] = next[right];
    if (next[left] < count) previous[next[left]] = left;
    if (previous[left] >= 0) offer(previous[left]);
    offer(left);
  }
  return ids.filter((id) => id >= 0);
}

/** Pairs by rank, then by place. */
class Heap {
  #items = [];

  push(item) {
    const items = this.#items;
    let at = items.push(item) - 1;
    for (let parent; at > 0 && before(item, items[(parent = (at - 1) >> 1)]); at = parent) items[at] = items[parent];
    items[at] = item;
  }

  pop() {
    const items = this.#items;
    const top = items[0];
    const last = items.pop();
    if (!items.length) return top;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child + 1 < items.length && before(items[child + 1], items[child])) child++;
      if (child >= items.length || !before(items[child], last)) break;
      items[at] = items[child];
      at = child;
    }
    items[at] = last;
    return top;
  }
}

function before(a, b) {
  return a.rank < b.rank || (a.rank === b.rank && a.left < b.left);
}
