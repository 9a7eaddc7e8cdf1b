/** Compound constraints that OLM reads otherwise than they look. */
import { isObject, own, type JsonValue } from '../../../text/documents/index.js';
import { lintRules, type Advice } from './lint-rules.js';
import { append } from '../../../text/long-lists.js';

/** `path` is the property's own. */
export function lintConstraint(value: JsonValue, path: string): Advice[] {
  return walk(value, `${path}.value`, undefined);
}

function walk(value: JsonValue, path: string, parent: 'all' | 'any' | 'not' | undefined): Advice[] {
  if (!isObject(value)) return [];
  const found: Advice[] = [];
  for (const kind of ['all', 'any', 'not'] as const) {
    const compound = own(value, kind);
    const parts = isObject(compound) ? own(compound, 'constraints') : undefined;
    if (!Array.isArray(parts)) continue;
    if (kind === 'not') found.push(negation(`${path}.not`, parent));
    if (kind === 'all' && namesSeveral(parts)) {
      found.push({
        rule: lintRules.oneBundle,
        message:
          'all names a package and something else that other operators may provide; OLM wants one bundle that meets both',
        path: `${path}.all`,
        fix: 'make each part a dependency of its own unless one operator must meet them all',
      });
    }
    for (const [index, part] of parts.entries()) {
      append(found, walk(part, `${path}.${kind}.constraints[${index}]`, kind));
    }
  }
  return found;
}

function negation(path: string, parent: 'all' | 'any' | 'not' | undefined): Advice {
  const message =
    parent === 'all' || parent === 'any'
      ? `not stands under ${parent}, where OpenShift’s documentation advises against it: OLM only narrows the choice of the one bundle that meets the rest`
      : 'not forbids nothing to OLM: any bundle that is not such meets it, also this one';
  return { rule: lintRules.negation, message, path };
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
