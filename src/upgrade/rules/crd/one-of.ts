import { from } from '../../../rule/index.js';
import { own, type JsonObject } from '../../../text/documents/index.js';
import { TypedText } from '../../crd/typed-text.js';
import { readList, readSchema } from '../../crd/typed-values.js';
import { compareBytes, formatList } from '../../../text/go/index.js';
import { ComparedSides } from './compared-sides.js';
import { definePropertyRule } from './rule.js';

/** Of an alternative itself; those of its properties count. */
const words = ['description', 'title', 'example', 'externalDocs'];

/** The branches by what makes them the same: the reference compares what Go prints of them. */
function branches(
  schema: JsonObject,
  text: TypedText,
  sides: ComparedSides,
): Map<string | symbol, JsonObject> {
  return new Map(
    (readList(own(schema, 'oneOf')) ?? []).map((item) => {
      const branch = { ...readSchema(item) };
      for (const keyword of words) delete branch[keyword];
      return [sides.identityOf(branch, text), branch];
    }),
  );
}

export const oneOfRule = definePropertyRule({
  id: 'oneOf',
  keyword: 'oneOf',
  looksAtEqual: true,
  checks: 'A field gets a oneOf, or an alternative of its oneOf is removed, added or changed.',
  why: 'Stored objects that match no alternative, or two of them, are refused at their next update.',
  instead:
    'Keep the alternatives; where the change only looks like one, see what profile proof says about it: olm-guard check crd OLD NEW --profile proof.',
  source: from.crdifyOfOlm110('pkg/validations/property/oneof.go'),
  example: {
    before: 'properties: { size: { type: string, oneOf: [{ enum: [small] }, { enum: [large] }] } }',
    after: 'properties: { size: { type: string, oneOf: [{ enum: [small] }] } }',
    says: 'v1: ^.spec.size: oneOf: allowed oneOf schemas removed: [&JSONSchemaProps{ID:,',
    accepted:
      'properties: { size: { type: string, oneOf: [{ enum: [large] }, { enum: [small], title: Small }] } }',
  },
  compare(old, next, sides = unlike()) {
    const before = branches(old, sides.old, sides);
    const after = branches(next, sides.next, sides);
    const removed = [...before].filter(([identity]) => !after.has(identity));
    const added = [...after].filter(([identity]) => !before.has(identity));
    const isRemoval = removed.length > 0;
    const changed = isRemoval ? removed : added;
    if (changed.length === 0) return undefined;
    const text = isRemoval ? sides.old : sides.next;
    const says = isRemoval
      ? 'allowed oneOf schemas removed'
      : before.size === 0
        ? 'oneOf constraint added when there was none previously'
        : 'allowed oneOf schemas added';
    return {
      crdify: () => {
        const printed = changed.map(([, branch]) => sides.print(branch, text));
        return `${says}: ${formatList(printed.sort(compareBytes))}`;
      },
      ...(changed.some(([identity]) => typeof identity === 'symbol')
        ? { isNeverTheSame: true as const }
        : {}),
    };
  },
});

function unlike(): ComparedSides {
  const read = (stored: boolean): TypedText => new TypedText({ stored, emptyIsAbsent: true });
  return new ComparedSides(read(true), read(false));
}
