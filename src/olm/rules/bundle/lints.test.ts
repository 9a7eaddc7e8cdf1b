import { expect } from 'chai';
import type { JsonValue } from '../../../text/documents/index.js';
import { lintBundle } from './lints.js';

const needs = (type: string, value: JsonValue): JsonValue => ({ type, value });
const constraint = (value: JsonValue): JsonValue => needs('olm.constraint', value);
const api = { group: 'example.com', version: 'v1', kind: 'K' };
const required = { packageName: 'b', versionRange: '>=1.0.0' };

interface Row {
  readonly title: string;
  readonly properties?: readonly JsonValue[];
  readonly dependencies?: readonly JsonValue[];
  readonly findings: readonly string[];
}

const rows: readonly Row[] = [
  {
    title: 'an API without a package',
    dependencies: [needs('olm.gvk', api)],
    findings: ['ApiWithoutMinimumVersion $.dependencies[0]'],
  },
  {
    title: 'an API that the bundle provides is no dependency',
    properties: [
      needs('olm.gvk', api),
      needs('olm.package', { packageName: 'a', version: '1.0.0' }),
    ],
    findings: [],
  },
  {
    title: 'an API with a package and a minimum version',
    dependencies: [
      needs('olm.gvk', api),
      needs('olm.package', { packageName: 'b', version: '>1.0.0' }),
    ],
    findings: [],
  },
  {
    title: 'an exact version',
    dependencies: [needs('olm.package', { packageName: 'b', version: '1.2.3' })],
    findings: ['TightMaximumVersion $.dependencies[0]'],
  },
  {
    title: 'a maximum within one major version',
    properties: [
      needs('olm.package.required', { packageName: 'b', versionRange: '>=1.2.0 <1.3.0' }),
    ],
    findings: ['TightMaximumVersion $.properties[0]'],
  },
  {
    title: 'a wide maximum and an excluded version',
    properties: [
      needs('olm.package.required', { packageName: 'b', versionRange: '>1.0.0 <2.0.0' }),
      needs('olm.package.required', { packageName: 'c', versionRange: '>1.0.0 !1.2.1' }),
    ],
    findings: [],
  },
  {
    title: 'the documented key',
    properties: [constraint({ package: { name: 'b', versionRange: '>=1.0.0' } })],
    findings: ['UnreadableConstraint $.properties[0]'],
  },
  {
    title: 'a key that OLM does not know',
    properties: [constraint({ packages: required })],
    findings: ['UnreadableConstraint $.properties[0]'],
  },
  {
    title: 'a size past what is documented, and past OLM',
    properties: [
      constraint({ failureMessage: 'x'.repeat(66_000), package: required }),
      constraint({ failureMessage: 'x'.repeat(132_000), package: required }),
    ],
    findings: [
      'ConstraintTooLarge $.properties[0]',
      'ConstraintTooLarge $.properties[1]',
      'UnreadableConstraint $.properties[1]',
    ],
  },
  {
    title: 'not alone, and under all',
    properties: [
      constraint({ not: { constraints: [{ package: required }] } }),
      constraint({
        all: { constraints: [{ package: required }, { not: { constraints: [{ gvk: api }] } }] },
      }),
    ],
    findings: [
      'NegationForbidsNothing $.properties[0].value.not',
      'NegationForbidsNothing $.properties[1].value.all.constraints[1].not',
    ],
  },
  {
    title: 'all of a package and an API',
    properties: [constraint({ all: { constraints: [{ package: required }, { gvk: api }] } })],
    findings: ['AllMeansOneBundle $.properties[0].value.all'],
  },
  {
    title: 'cluster information in CEL',
    properties: [constraint({ cel: { rule: 'cluster.version == "4.12"' } })],
    findings: ['UnknownCelVariable $.properties[0]'],
  },
  {
    title: 'a property nested as documented',
    properties: [{ property: { type: 'color', value: 'red' } }],
    findings: ['NestedProperty $.properties[0]'],
  },
  {
    title: 'shapes that are no properties',
    properties: [null, 1, [], {}, { type: 3 }, constraint('x'), needs('olm.gvk.required', null)],
    findings: ['UnreadableConstraint $.properties[5]'],
  },
];

describe('lints of bundle metadata', () => {
  for (const { title, properties = [], dependencies = [], findings } of rows) {
    it(title, () => {
      const found = lintBundle({ properties, dependencies });
      expect(found.map(({ rule, path }) => `${rule} ${path ?? ''}`)).to.deep.equal(findings);
    });
  }

  it('names a constraint that stands beside its value', () => {
    const properties = [{ type: 'olm.constraint', value: null, all: { constraints: [] } }];
    const [finding] = lintBundle({ properties, dependencies: [] });
    expect(finding).to.include({
      rule: 'UnreadableConstraint',
      severity: 'error',
      id: 'oneBeside',
      fix: 'indent all so that it stands below value',
    });
  });

  it('calls a variable that OLM does not have an error: it stops the namespace', () => {
    const properties = [constraint({ cel: { rule: 'cluster.version == "4.12"' } })];
    expect(lintBundle({ properties, dependencies: [] })[0]?.severity).to.equal('error');
  });

  it('suggests the correct key', () => {
    const properties = [constraint({ package: { name: 'b', versionRange: '>=1.0.0' } })];
    const [finding] = lintBundle({ properties, dependencies: [] });
    expect(finding?.fix).to.equal('in "package" write packageName where it says name');
  });
});
