/** The name of each change, as each profile finds it. */
import { expect } from 'chai';
import { proveUpgrade } from '../../proof/index.js';
import type { JsonObject } from '../../text/documents/index.js';
import { ruleNamed } from '../registry.js';
import { changeName, ruleOfChange } from './change-name.js';
import { exampleOfSpec } from './example-definition.js';
import { judgeUpgrade, referenceProfiles } from './index.js';

function definition(field: JsonObject | undefined, required: string[] = []): JsonObject {
  const properties: JsonObject = field === undefined ? {} : { f: field };
  const spec: JsonObject = {
    type: 'object',
    properties: { ...properties, other: { type: 'string' } },
  };
  return exampleOfSpec(required.length === 0 ? spec : { ...spec, required });
}

const integer = { type: 'integer' };
const text = { type: 'string' };
const list = { type: 'array', items: text };
const map = { type: 'object', additionalProperties: text };

type Row = readonly [
  name: string,
  before: JsonObject,
  after: JsonObject | undefined,
  required?: string[],
];
const rows: readonly Row[] = [
  ['FieldRemoved', text, undefined],
  ['RequiredFieldAdded', text, text, ['f']],
  ['TypeChanged', text, integer],
  ['EnumAdded', text, { ...text, enum: ['a'] }],
  ['EnumValueRemoved', { ...text, enum: ['a', 'b'] }, { ...text, enum: ['a'] }],
  ['MinimumAdded', integer, { ...integer, minimum: 2 }],
  ['MinimumRaised', { ...integer, minimum: 1 }, { ...integer, minimum: 2 }],
  ['MaximumAdded', integer, { ...integer, maximum: 2 }],
  ['MaximumLowered', { ...integer, maximum: 3 }, { ...integer, maximum: 2 }],
  ['MinLengthAdded', text, { ...text, minLength: 2 }],
  ['MinLengthRaised', { ...text, minLength: 1 }, { ...text, minLength: 2 }],
  ['MaxLengthAdded', text, { ...text, maxLength: 2 }],
  ['MaxLengthLowered', { ...text, maxLength: 3 }, { ...text, maxLength: 2 }],
  ['MinItemsAdded', list, { ...list, minItems: 2 }],
  ['MinItemsRaised', { ...list, minItems: 1 }, { ...list, minItems: 2 }],
  ['MaxItemsAdded', list, { ...list, maxItems: 2 }],
  ['MaxItemsLowered', { ...list, maxItems: 3 }, { ...list, maxItems: 2 }],
  ['MinPropertiesAdded', map, { ...map, minProperties: 2 }],
  ['MinPropertiesRaised', { ...map, minProperties: 1 }, { ...map, minProperties: 2 }],
  ['MaxPropertiesAdded', map, { ...map, maxProperties: 2 }],
  ['MaxPropertiesLowered', { ...map, maxProperties: 3 }, { ...map, maxProperties: 2 }],
  ['DefaultAdded', text, { ...text, default: 'a' }],
  ['DefaultChanged', { ...text, default: 'a' }, { ...text, default: 'b' }],
  ['DefaultRemoved', { ...text, default: 'a' }, text],
  ['NullForbidden', { ...text, nullable: true }, text],
  ['NullAllowed', text, { ...text, nullable: true }],
  ['PatternAdded', text, { ...text, pattern: '^a' }],
  ['PatternChanged', { ...text, pattern: '^a' }, { ...text, pattern: '^b' }],
];

describe('names of changes', () => {
  for (const [name, before, after, required = []] of rows) {
    it(name, () => {
      const [old, fresh] = [definition(before), definition(after, required)];
      const found = referenceProfiles
        .flatMap((profile) => judgeUpgrade(old, fresh, profile).findings)
        // crdify says of a field that is gone that its type is.
        .filter(({ rule }) => name !== 'FieldRemoved' || rule !== 'type');
      // Where a reference has no rule for it, it says that something changed, which is no name.
      const named = found.filter(({ message }) => !/unknown change|unhandled/.test(message));
      expect(named).not.to.deep.equal([]);
      expect([...new Set(named.map(changeName))]).to.deep.equal([name]);
      const proven = proveUpgrade(old, fresh).findings.map(changeName);
      // Nothing is told of what breaks nothing.
      if (name !== 'NullAllowed') expect(proven).to.include(name);
    });
  }

  it('lead to a rule that explains them', () => {
    for (const [name, rule] of ruleOfChange) expect(ruleNamed(rule), name).not.to.equal(undefined);
    expect(rows.map(([name]) => name).filter((name) => !ruleOfChange.has(name))).to.deep.equal([]);
  });
});
