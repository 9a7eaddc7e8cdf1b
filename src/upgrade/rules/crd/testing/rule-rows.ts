/** Table tests of property rules: one keyword before, the same after, and what each reference says. */
import { expect } from 'chai';
import { parseJson, type JsonObject } from '../../../../text/documents/index.js';
import type { PropertyRule } from '../rule.js';

/** `''` for allowed, or one text for both references, or a text for each. */
type Says = string | { readonly 'olm-v1'?: string; readonly crdify: string };

/** The keyword's value before and after as JSON text; `''` for no such keyword. */
export type RuleRow = readonly [row: string, old: string, next: string, says: Says];

export function describeRule(rule: PropertyRule, rows: readonly RuleRow[]): void {
  const schema = (value: string): JsonObject =>
    parseJson(value === '' ? '{}' : `{${JSON.stringify(rule.keyword)}: ${value}}`) as JsonObject;
  describe(`rule ${rule.id}`, () => {
    for (const [row, old, next, says] of rows) {
      it(row, () => {
        const texts = rule.compare(schema(old), schema(next));
        if (says === '') expect(texts).to.equal(undefined);
        else expect(texts).to.deep.equal(typeof says === 'string' ? { crdify: says } : says);
      });
    }
  });
}
