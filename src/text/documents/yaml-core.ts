/** Our own files, as YAML 1.2 core: by js-yaml, with our own scalars. */
import jsyaml from 'js-yaml';
import { InvalidInputError } from './error.js';
import type { Limits } from './limits.js';
import { resolveCoreScalar } from './scalars.js';
import { isObject, NumberText, type JsonValue } from './value.js';

/** Stands for null until the tree is complete: a null as a key must differ from the word "null". */
class NullScalar {
  toString(): string {
    throw new InvalidInputError('E_YAML', 'has a key that is null: name the key or quote it');
  }
  readonly [Symbol.toStringTag] = 'Null';
}
const nullScalar = new NullScalar();

/** A number that JSON cannot hold. */
class UnsupportedScalar {
  constructor(readonly text: string) {}
}

/** @throws jsyaml.YAMLException, InvalidInputError, RangeError */
export function parseCoreYaml(text: string, limits: Limits): JsonValue {
  const options = { schema, maxDepth: limits.maxDepth };
  return finish(jsyaml.load(text, options) ?? null, limits);
}

/** Replaces what stood in for null, and bounds depth and what aliases expand to. */
function finish(root: unknown, limits: Limits): JsonValue {
  let nodes = 0;
  const open = new Set<object>();
  const seen = new Set<object>();
  const walk = (value: unknown, depth: number): JsonValue => {
    if (value === nullScalar || value === undefined) return null;
    if (value instanceof UnsupportedScalar) {
      throw new InvalidInputError(
        'E_YAML',
        `has the value ${value.text}, which JSON cannot hold: quote it`,
      );
    }
    if (typeof value !== 'object' || value === null || value instanceof NumberText) {
      return value as JsonValue;
    }
    if (depth > limits.maxDepth) {
      throw new InvalidInputError('E_LIMIT', `nests more than ${limits.maxDepth} levels deep`);
    }
    if (open.has(value)) {
      throw new InvalidInputError('E_YAML', 'has an anchor whose value contains itself');
    }
    if (seen.has(value)) {
      nodes += 1;
    } else {
      seen.add(value);
    }
    const expanding = nodes > 0;
    open.add(value);
    if (Array.isArray(value)) {
      if (expanding) nodes += value.length;
      for (let index = 0; index < value.length; index++)
        value[index] = walk(value[index], depth + 1);
    } else if (isObject(value)) {
      const keys = Object.keys(value);
      if (expanding) nodes += keys.length;
      for (const key of keys) {
        if (key === '[object Object]') {
          throw new InvalidInputError(
            'E_YAML',
            'has a map as a key: quote it, templates such as {{ .x }} too',
          );
        }
        // js-yaml made every key an own property, `__proto__` too.
        value[key] = walk(value[key], depth + 1);
      }
    }
    if (nodes > limits.maxAliasNodes) {
      throw new InvalidInputError(
        'E_LIMIT',
        `has aliases that expand to more than ${limits.maxAliasNodes} nodes`,
      );
    }
    open.delete(value);
    return value as JsonValue;
  };
  return walk(root, 1);
}

function construct(data: string | null): unknown {
  const text = data ?? '';
  const resolved = resolveCoreScalar(text);
  if (resolved === undefined) return text;
  switch (resolved.kind) {
    case 'null':
      return nullScalar;
    case 'unsupported':
      return new UnsupportedScalar(resolved.text);
    default:
      return resolved.value;
  }
}

const tag = (name: string): string => `tag:yaml.org,2002:${name}`;

const explicit = (
  [
    ['null', ['null']],
    ['bool', ['bool']],
    ['int', ['int']],
    ['float', ['float', 'int', 'unsupported']],
  ] as const
).map(
  ([name, kinds]) =>
    new jsyaml.Type(tag(name), {
      kind: 'scalar',
      resolve: (data: string | null) =>
        (kinds as readonly (string | undefined)[]).includes(resolveCoreScalar(data ?? '')?.kind),
      construct,
    }),
);

const implicit = new jsyaml.Type(tag('resolved'), {
  kind: 'scalar',
  resolve: (data: string | null) => data === null || resolveCoreScalar(data) !== undefined,
  construct,
});

const schema = jsyaml.FAILSAFE_SCHEMA.extend({ implicit: [implicit], explicit });
