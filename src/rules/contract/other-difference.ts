import { from } from '../source.js';
import {
  isObject,
  own,
  sameJson,
  type JsonObject,
  type JsonValue,
} from '../../text/documents/index.js';
import { quote } from '../../text/go/index.js';
import { defineContractRule, type ContractDifference } from './rule.js';

/** Fields that rules without an audience of their own look at: `NoScopeChange`, and the proof. */
const elsewhere = ['spec.scope', 'spec.versions[].schema'];

/** @param claimed the fields that rules look at, each with everything beneath it */
export const otherDifference = (claimed: () => readonly string[]) =>
  defineContractRule({
    id: 'OtherDifference',
    audience: 'clients',
    fields: [],
    checks: 'A field of the definition differs that no other rule looks at.',
    why: 'What is passed over in silence is believed to be harmless, and nobody here knows that.',
    instead: 'Look at the difference yourself, and tell us, so that it gets a rule.',
    source: from.us('docs/rules.md'),
    example: {
      before: 'spec: { scope: Namespaced }',
      after: 'spec: { scope: Namespaced, fieldOfTheFuture: 1 }',
      says: 'differs in "spec.fieldOfTheFuture", which no rule looks at',
    },
    *compare({ old, next, shared }) {
      const known = new Set([...claimed(), ...elsewhere]);
      yield* compare(own(old.document, 'spec'), own(next.document, 'spec'), 'spec', ['spec']);
      for (const { old: before, new: after } of shared) {
        const keys = ['spec', 'versions', after.index];
        const found = compare(before.document, after.document, 'spec.versions[]', keys);
        for (const difference of found) yield { ...difference, version: after.name };
      }

      function* compare(
        before: JsonValue | undefined,
        after: JsonValue | undefined,
        path: string,
        keys: readonly (string | number)[],
      ): Generator<ContractDifference> {
        if (known.has(path) || path === 'spec.versions' || sameJson(before ?? null, after ?? null))
          return;
        const isAbove = [...known].some((field) => field.startsWith(`${path}.`));
        if (isAbove && isObjectOrNone(before) && isObjectOrNone(after)) {
          const [left, right] = [before ?? {}, after ?? {}] as [JsonObject, JsonObject];
          for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
            yield* compare(own(left, key), own(right, key), `${path}.${key}`, [...keys, key]);
          }
          return;
        }
        yield {
          reason: `differs in ${quote(path)}, which no rule looks at`,
          place: { side: 'new', keys: after === undefined ? keys.slice(0, -1) : keys },
        };
      }
    },
  });

function isObjectOrNone(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || isObject(value);
}
