/** Computes something about an object at most once while the object is in use; an error is kept in the same way. */
export function oncePer<Key extends object, Value>(
  compute: (key: Key) => Value,
): (key: Key) => Value {
  const known = new WeakMap<Key, { readonly value: Value } | { readonly thrown: unknown }>();
  return (key) => {
    let entry = known.get(key);
    if (entry === undefined) {
      try {
        entry = { value: compute(key) };
      } catch (thrown) {
        entry = { thrown };
      }
      known.set(key, entry);
    }
    if ('thrown' in entry) throw entry.thrown;
    return entry.value;
  };
}

/** The value, or an error of the class that is expected; any other is thrown on. */
export function attempt<Value, Failure extends Error>(
  expected: new (...given: never[]) => Failure,
  read: () => Value,
): Value | Failure {
  try {
    return read();
  } catch (error) {
    if (error instanceof expected) return error;
    throw error;
  }
}

/** The same where it does not matter why there is no value. */
export function valueUnless<Value, Failure extends Error>(
  expected: new (...given: never[]) => Failure,
  read: () => Value,
): Value | undefined {
  const found = attempt(expected, read);
  return found instanceof expected ? undefined : (found as Value);
}
