import { from } from '../../../rule/index.js';
import {
  isObject,
  own,
  sameJson,
  type JsonObject,
  type JsonValue,
} from '../../../text/documents/index.js';
import { defineContractRule, type ContractDifference, type ContractRule } from './rule.js';

/** Fields that rules without an audience of their own look at: `NoScopeChange`, and the proof. */
const elsewhere = ['spec.scope', 'spec.versions[].schema'];

const messages = {
  rewritten: '"{path}" is written otherwise, and says the same',
  reordered: 'the version order changes',
  unknown: 'differs in "{path}", which no rule looks at',
} as const;

/** @param others the rules about fields; they have had their say */
export const otherDifference = (others: () => readonly ContractRule[]) =>
  defineContractRule({
    id: 'OtherDifference',
    audience: 'clients',
    fields: [],
    checks: 'A field of the definition differs that no other rule looks at.',
    why: 'A difference that is not mentioned is taken to be harmless, and nothing here shows that it is.',
    instead: 'Look at the difference yourself, and tell us, so that it gets a rule.',
    source: from.us('docs/rules.md'),
    messages,
    example: {
      before: 'spec: { scope: Namespaced }',
      after: 'spec: { scope: Namespaced, fieldOfTheFuture: 1 }',
      says: 'differs in "spec.fieldOfTheFuture", which no rule looks at',
    },
    *compare({ old, next, shared, heard }) {
      const lookers = new Map<string, string[]>(elsewhere.map((field) => [field, []]));
      for (const { id, fields } of others()) {
        for (const field of fields) lookers.set(field, [...(lookers.get(field) ?? []), id]);
      }
      yield* compare(own(old.document, 'spec'), own(next.document, 'spec'), 'spec', ['spec']);
      const orders = shared.map(({ new: { index } }) => index);
      if (orders.some((index, at) => index < (orders[at - 1] ?? 0))) {
        const place = { side: 'new', keys: ['spec', 'versions'] } as const;
        yield { id: 'reordered', place, isHarmless: true };
      }
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
      ): Generator<ContractDifference<typeof messages>> {
        if (path === 'spec.versions' || sameJson(before ?? null, after ?? null)) return;
        const place = {
          side: 'new',
          keys: after === undefined ? keys.slice(0, -1) : keys,
        } as const;
        const known = lookers.get(path);
        if (known !== undefined) {
          if (known.length === 0 || known.some((id) => heard.has(id))) return;
          yield { id: 'rewritten', data: { path }, place, isHarmless: true };
          return;
        }
        const isAbove = [...lookers.keys()].some((field) => field.startsWith(`${path}.`));
        if (isAbove && isObjectOrNone(before) && isObjectOrNone(after)) {
          const [left, right] = [before ?? {}, after ?? {}] as [JsonObject, JsonObject];
          const all = new Set([...Object.keys(left), ...Object.keys(right)]);
          if (all.size === 0) yield { id: 'rewritten', data: { path }, place, isHarmless: true };
          for (const key of all) {
            yield* compare(own(left, key), own(right, key), `${path}.${key}`, [...keys, key]);
          }
          return;
        }
        yield { id: 'unknown', data: { path }, place };
      }
    },
  });

function isObjectOrNone(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || isObject(value);
}
