/** Items by a key, in the order of their first appearance. */
export function groupBy<Item, Key>(
  items: Iterable<Item>,
  keyOf: (item: Item) => Key,
): Map<Key, [Item, ...Item[]]> {
  const groups = new Map<Key, [Item, ...Item[]]>();
  for (const item of items) addTo(groups, keyOf(item), item);
  return groups;
}

export function addTo<Key, Item>(groups: Map<Key, Item[]>, key: Key, item: Item): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [item]);
  else group.push(item);
}

/** Texts by UTF-16 code units; `compareBytes` is the order of Go. */
export function compareValues<Value extends string | number | bigint>(
  one: Value,
  other: Value,
): -1 | 0 | 1 {
  return one < other ? -1 : one > other ? 1 : 0;
}
