/** Compound constraints that OLM reads otherwise than they look. */
import { isObject, own, type JsonValue } from '../../../text/documents/index.js';
import type { Finding } from '../../../rule/index.js';
import { lintRules } from './lint-rules.js';
import { append } from '../../../text/long-lists.js';

/** `path` is the property's own. */
export function lintConstraint(value: JsonValue, path: string): Finding[] {
  return walk(value, `${path}.value`, undefined);
}

function walk(
  value: JsonValue,
  path: string,
  parent: 'all' | 'any' | 'not' | undefined,
): Finding[] {
  if (!isObject(value)) return [];
  const found: Finding[] = [];
  for (const kind of ['all', 'any', 'not'] as const) {
    const compound = own(value, kind);
    const parts = isObject(compound) ? own(compound, 'constraints') : undefined;
    if (!Array.isArray(parts)) continue;
    if (kind === 'not') found.push(negation(`${path}.not`, parent));
    if (kind === 'all' && namesSeveral(parts)) {
      found.push(
        lintRules.oneBundle.finding({
          id: 'several',
          path: `${path}.all`,
          fix: 'make each part a dependency of its own unless one operator must meet them all',
        }),
      );
    }
    for (const [index, part] of parts.entries()) {
      append(found, walk(part, `${path}.${kind}.constraints[${index}]`, kind));
    }
  }
  return found;
}

function negation(path: string, parent: 'all' | 'any' | 'not' | undefined): Finding {
  return parent === 'all' || parent === 'any'
    ? lintRules.negation.finding({ id: 'narrows', data: { parent }, path })
    : lintRules.negation.finding({ id: 'forbidsNothing', path });
}

/** A package beside an API, or two packages: what two operators would usually provide. */
function namesSeveral(parts: readonly JsonValue[]): boolean {
  const kinds = parts.flatMap((part) => {
    if (!isObject(part)) return [];
    return ['package', 'gvk'].filter((kind) => own(part, kind) !== undefined);
  });
  const packages = new Set(
    parts.flatMap((part) => {
      const required = isObject(part) ? own(part, 'package') : undefined;
      const name = isObject(required)
        ? (own(required, 'packageName') ?? own(required, 'name'))
        : undefined;
      return typeof name === 'string' ? [name] : [];
    }),
  );
  return packages.size > 1 || (packages.size === 1 && kinds.includes('gvk'));
}
