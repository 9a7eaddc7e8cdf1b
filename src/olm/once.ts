/** Computes something about an object at most once while the object is in use; an error is kept in the same way. */
export function oncePer<Key extends object, Value>(
  compute: (key: Key) => Value,
): (key: Key) => Value {
  const known = new WeakMap<Key, { readonly value: Value } | { readonly thrown: unknown }>();
  return (key) => {
    let entry = known.get(key);
    if (entry === undefined) known.set(key, (entry = outcome(() => compute(key))));
    if ('thrown' in entry) throw entry.thrown;
    return entry.value;
  };
}

function outcome<Value>(
  compute: () => Value,
): { readonly value: Value } | { readonly thrown: unknown } {
  try {
    return { value: compute() };
  } catch (thrown) {
    return { thrown };
  }
}
