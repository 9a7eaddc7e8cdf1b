/** The name of each change, as each profile finds it. */
import { expect } from 'chai';
import { proveDocuments } from '../../proof/testing/prove-documents.js';
import type { JsonObject } from '../../../text/documents/index.js';
import { ruleNamed } from '../../../policy/rules/registry.js';
import { proofFindings } from './proof-findings.js';
import { changeName, ruleOfChange } from './change-name.js';
import { exampleOfSpec } from './example-definition.js';
import { judgeByReference, referenceProfiles } from './profiles.js';
import { UpgradePair } from '../../pair.js';

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

function ruled(rule: string, message = 'it must be more'): JsonObject {
  return { ...integer, 'x-kubernetes-validations': [{ rule, message }] };
}

const rulesGone = [{ rule: 'self > 1' }];

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
  ['MergeStrategyChanged', list, { ...list, 'x-kubernetes-list-type': 'set' }],
  ['ValidationRuleChanged', integer, ruled('self > 1')],
  ['ValidationRuleChanged', ruled('self > 1'), ruled('self > 2')],
  ['ValidationRuleChanged', { ...integer, 'x-kubernetes-validations': rulesGone }, integer],
  // What a rule says of itself names nothing.
  ['ValidationRuleChanged', integer, ruled('self > 1', 'the field is gone, pattern added')],
];

describe('names of changes', () => {
  for (const [name, before, after, required = []] of rows) {
    it(name, () => {
      const [old, fresh] = [definition(before), definition(after, required)];
      const found = referenceProfiles
        .flatMap((profile) => judgeByReference(UpgradePair.read(old, fresh), profile).findings)
        // crdify says of a field that is gone that its type is.
        .filter(({ rule }) => name !== 'FieldRemoved' || rule !== 'type');
      // Where a reference has no rule for it, it says that something changed, which names only these.
      const named = found.filter(
        ({ message, rule }) =>
          name === 'ValidationRuleChanged' ||
          (name === 'MergeStrategyChanged' && rule === 'ChangeValidator') ||
          !/unknown change|unhandled/.test(message),
      );
      expect(named).not.to.deep.equal([]);
      expect([...new Set(named.map(changeName))]).to.deep.equal([name]);
      const proven = proofFindings('', proveDocuments(old, fresh).results).map(changeName);
      // Nothing is told of what breaks nothing.
      const isHarmless = name === 'NullAllowed' || before['x-kubernetes-validations'] === rulesGone;
      if (!isHarmless) expect(proven).to.include(name);
    });
  }

  it('leave out what changes beside a rule', () => {
    const [old, fresh] = [
      definition({ ...text, format: 'byte' }),
      definition({
        ...text,
        format: 'x-kubernetes-validations a validation rule is new',
        'x-kubernetes-validations': [{ rule: 'self != "the field is gone"' }],
      }),
    ];
    for (const profile of referenceProfiles) {
      const { findings } = judgeByReference(UpgradePair.read(old, fresh), profile);
      expect(findings.map(changeName), profile).to.deep.equal([undefined]);
    }
  });

  it('are not taken from what a definition quotes', () => {
    const lie =
      'new required fields; " added when there was no default previously; the field is gone';
    const [old, fresh] = [
      { ...text, default: lie },
      { ...text, default: `x" removed ${lie}` },
    ].map((schema) =>
      exampleOfSpec({
        type: 'object',
        properties: { [lie]: { ...schema, minLength: 0 }, 'a minimum is new': schema },
      }),
    ) as [JsonObject, JsonObject];
    const all = [
      ...referenceProfiles.flatMap(
        (profile) => judgeByReference(UpgradePair.read(old, fresh), profile).findings,
      ),
      ...proofFindings('', proveDocuments(old, fresh).results),
    ];
    expect(all.length).to.be.greaterThan(3);
    expect([...new Set(all.map(changeName))]).to.deep.equal(['DefaultChanged']);
  });

  it('are those of the definition in a plan that brings several', () => {
    const { findings } = judgeByReference(
      UpgradePair.read(definition(integer), definition(ruled('self > 1'))),
      'crdify',
    );
    const inPlan = findings.map((finding) => ({
      ...finding,
      cause: `a.example.com ${finding.cause ?? ''}`,
    }));
    expect(inPlan.map(changeName)).to.deep.equal(['ValidationRuleChanged']);
  });

  it('lead to a rule that explains them', () => {
    for (const [name, rule] of ruleOfChange) expect(ruleNamed(rule), name).not.to.equal(undefined);
    expect(rows.map(([name]) => name).filter((name) => !ruleOfChange.has(name))).to.deep.equal([]);
  });
});
