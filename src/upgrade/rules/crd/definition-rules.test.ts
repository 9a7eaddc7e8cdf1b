import { expect } from 'chai';
import type { JsonObject } from '../../../text/documents/index.js';
import { judgeByReference } from './profiles.js';
import { definition, object } from './testing/definition.js';
import { UpgradePair } from '../../pair.js';

const schema = object({ spec: object({ size: { type: 'integer' } }) });
const v1 = { name: 'v1', schema };
const v2 = { name: 'v2', schema, storage: false };

/** What each profile says of a rule, line by line. */
function says(old: JsonObject, next: JsonObject, validator: string, validation: string) {
  const olm = judgeByReference(UpgradePair.read(old, next), 'olm-v1').findings.filter(
    ({ rule }) => rule === validator,
  );
  const crdify = judgeByReference(UpgradePair.read(old, next), 'crdify').findings.filter(
    ({ rule }) => rule === validation,
  );
  return { olm: olm.map(({ message }) => message), crdify: crdify.map(({ message }) => message) };
}

describe('rule scope', () => {
  const rows: [row: string, old: string, next: string, olm: string[], crdify: string[]][] = [
    ['the same', 'Cluster', 'Cluster', [], []],
    [
      'changed',
      'Namespaced',
      'Cluster',
      ['scope changed from "Namespaced" to "Cluster"'],
      ['scope: scope changed : "Namespaced" -> "Cluster"'],
    ],
    [
      'as the values stand in the objects',
      'Cluster',
      'cluster',
      ['scope changed from "Cluster" to "cluster"'],
      ['scope: scope changed : "Cluster" -> "cluster"'],
    ],
  ];
  for (const [row, old, next, olm, crdify] of rows) {
    it(row, () => {
      const found = says(
        definition({ scope: old, versions: [v1] }),
        definition({ scope: next, versions: [v1] }),
        'NoScopeChange',
        'scope',
      );
      expect(found).to.deep.equal({ olm, crdify });
    });
  }
});

describe('rule storedVersionRemoval', () => {
  const rows: [row: string, stored: string[], next: string[], olm: string[], crdify: string[]][] = [
    ['all kept', ['v1', 'v2'], ['v2', 'v1'], [], []],
    ['a version that is not stored goes', ['v1'], ['v1'], [], []],
    [
      'the first that is missing, or all',
      ['v0', 'v1', 'v9'],
      ['v1'],
      ['stored version "v0" removed'],
      ['storedVersionRemoval: stored versions removed : [v0 v9]'],
    ],
    [
      'none left',
      ['v1'],
      [],
      ['stored version "v1" removed'],
      ['storedVersionRemoval: stored versions removed : [v1]'],
    ],
  ];
  for (const [row, stored, next, olm, crdify] of rows) {
    it(row, () => {
      const found = says(
        definition({ stored, versions: [v1, v2] }),
        definition({ versions: next.map((name) => ({ ...v1, name })) }),
        'NoStoredVersionRemoved',
        'storedVersionRemoval',
      );
      expect(found).to.deep.equal({ olm, crdify });
    });
  }
});

describe('rule existingFieldRemoval', () => {
  const without = object({ spec: object({}) });
  const removed = (version: string, path: string) => ({
    olm: [`crd/samples.test.example.com version/${version} field/${path} may not be removed`],
    crdify: [`existingFieldRemoval: removed field : ${version}.${path}`],
  });
  const rows: [row: string, old: JsonObject, next: JsonObject, says: object][] = [
    [
      'nothing removed',
      definition({ versions: [v1] }),
      definition({ versions: [v1, v2] }),
      { olm: [], crdify: [] },
    ],
    [
      'a field',
      definition({ versions: [v1] }),
      definition({ versions: [{ name: 'v1', schema: without }] }),
      removed('v1', '^.spec.size'),
    ],
    [
      'a field of another version that is not in the old definition',
      definition({ versions: [v1] }),
      definition({ versions: [v1, { name: 'v2', schema: without }] }),
      { olm: [], crdify: [] },
    ],
    [
      'a whole version is no removed field',
      definition({ versions: [v1, v2] }),
      definition({ versions: [v1] }),
      { olm: [], crdify: [] },
    ],
    [
      'the schema',
      definition({ versions: [{ name: 'v1', schema: {} }] }),
      definition({ versions: [{ name: 'v1' }] }),
      removed('v1', '^'),
    ],
  ];
  for (const [row, old, next, expected] of rows) {
    it(row, () => {
      expect(says(old, next, 'NoExistingFieldRemoved', 'existingFieldRemoval')).to.deep.equal(
        expected,
      );
    });
  }

  it('is sorted by bytes, in the order of the new versions', () => {
    const many = object({ b: {}, a: {}, '\u{1F600}': {}, '\uffff': {} });
    const old = definition({
      versions: [
        { name: 'v1', schema: many },
        { name: 'v2', schema: many },
      ],
    });
    const next = definition({
      versions: [
        { name: 'v2', schema: object({ b: {} }) },
        { name: 'v1', schema: object({ a: {} }) },
      ],
    });
    const { olm } = says(old, next, 'NoExistingFieldRemoved', 'existingFieldRemoval');
    expect(olm.map((line) => line.split(' ').slice(1, 3).join(' '))).to.deep.equal([
      'version/v2 field/^.a',
      'version/v2 field/^.\uffff',
      'version/v2 field/^.\u{1F600}',
      'version/v1 field/^.b',
      'version/v1 field/^.\uffff',
      'version/v1 field/^.\u{1F600}',
    ]);
  });
});
