/** The schema that editors read says of a policy what reading it says, and knows every rule by name. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { parsePolicy } from '../../src/policy/parse.js';
import { ruleNames } from '../../src/checks/operations/rules.js';
import { ruleOfChange } from '../../src/upgrade/rules/crd/change-name.js';

const file = join(import.meta.dirname, '..', '..', 'schemas', 'policy.schema.json');
const header = { apiVersion: 'olm-guard.io/v1alpha1', kind: 'Policy' };

describe('schemas/policy.schema.json', () => {
  const accepts = new Ajv2020({ strict: false }).compile(
    JSON.parse(readFileSync(file, 'utf8')) as object,
  );

  const names = [...ruleNames, ...ruleOfChange.keys()];
  const rows: [what: string, fields: object, isPolicy: boolean][] = [
    [
      'every rule in modes',
      { modes: Object.fromEntries([...ruleNames].map((name) => [name, 'warn'])) },
      true,
    ],
    ['every rule and change in exemptions', { exemptions: [{ rules: names }] }, true],
    [
      'a family in both',
      { modes: { catalogs: 'audit' }, exemptions: [{ families: ['catalogs'] }] },
      true,
    ],
    ['a rule that there is none of', { modes: { NoScopeChang: 'warn' } }, false],
    ['the same in an exemption', { exemptions: [{ rules: ['NoScopeChang'] }] }, false],
    ['a family that there is none of', { exemptions: [{ families: ['crds'] }] }, false],
    ['an exemption from everything', { exemptions: [{ reason: 'x' }] }, false],
    ['a field that there is none of', { mode: {} }, false],
  ];
  for (const [what, fields, isPolicy] of rows) {
    it(`${isPolicy ? 'takes' : 'refuses'} ${what}, as reading it does`, () => {
      const policy = { ...header, ...fields };
      expect(accepts(policy), JSON.stringify(accepts.errors)).to.equal(isPolicy);
      const read = (): unknown => parsePolicy(JSON.stringify(policy), 'policy.yaml', ruleNames);
      if (isPolicy) expect(read).not.to.throw();
      else expect(read).to.throw();
    });
  }

  it('explains each rule where an editor shows it', () => {
    const { properties } = JSON.parse(readFileSync(file, 'utf8')) as {
      properties: { modes: { properties: Record<string, { description?: string }> } };
    };
    const unexplained = [...ruleNames].filter(
      (name) => properties.modes.properties[name]?.description === undefined,
    );
    expect(unexplained).to.deep.equal([]);
  });
});
