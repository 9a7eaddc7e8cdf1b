import { expect } from 'chai';
import type { Finding } from '../rule/finding.js';
import { exampleOfSpec } from '../upgrade/rules/crd/example-definition.js';
import { Judge } from '../upgrade/judge/judge.js';
import type { JsonObject } from '../text/documents/index.js';
import { SubjectExemptions } from './exemptions.js';
import type { Exemption } from './policy.js';

const finding: Finding = {
  rule: 'NoExistingFieldRemoved',
  family: 'crd-upgrade-safety',
  severity: 'error',
  message: 'removed',
  path: '^.spec.size',
  docs: '',
};

function covers(
  exemption: Exemption,
  { group = 'example.com', name = 'widgets.example.com', path = '^.spec.size' },
): boolean {
  const subject = { groups: [group], name };
  return (
    new SubjectExemptions([exemption], subject, new Date(0)).find({ ...finding, path }) !==
    undefined
  );
}

describe('exemptions', () => {
  it('are compared by name once, however many findings there are', () => {
    let reads = 0;
    const exemption: Exemption = {
      get names() {
        reads++;
        return ['other*'];
      },
    };
    const subject = { groups: [], name: 'widgets.example.com' };
    const exemptions = new SubjectExemptions([exemption], subject, new Date(0));
    for (let count = 0; count < 2_000; count++) exemptions.find(finding);
    expect(reads).to.equal(1);
  });

  const patterns: readonly (readonly [pattern: string, yes: string[], no: string[]])[] = [
    [
      'widgets',
      ['widgets'],
      ['widgets.example.com', 'mywidgets', 'Widgets', 'widget', '', 'widgets\n', ' widgets'],
    ],
    [
      'example.com',
      ['example.com'],
      ['examplexcom', 'evilexample.com', 'example.com.evil.org', 'sub.example.com', 'EXAMPLE.COM'],
    ],
    [
      '*.example.com',
      ['a.example.com', 'a.b.example.com', '.example.com'],
      [
        'example.com',
        'aexample.com',
        'a.example.com.evil.org',
        'a.example.com\n.x',
        'axexample.com',
      ],
    ],
    ['widgets.*', ['widgets.example.com', 'widgets.'], ['widgets', 'mywidgets.example.com']],
    ['a*b*c', ['abc', 'a1b2c', 'abbcbc'], ['ab', 'acb', 'xabc', 'abcx', 'aBc']],
    ['a*a', ['aa', 'aba'], ['a', 'ab', 'ba']],
    ['ab*ba', ['abba', 'abxba'], ['aba', 'ab', 'abab']],
    ['*', ['', 'anything', 'a\nb'], []],
    ['**', ['', 'anything'], []],
    ['.*', ['.x', '.'], ['x', 'anything']],
    ['^widgets$', ['^widgets$'], ['widgets']],
    ['wid.ets', ['wid.ets'], ['widgets']],
    ['(a|b)', ['(a|b)'], ['a', 'b']],
    ['[ab]?', ['[ab]?'], ['a', '']],
    ['a\\*', ['a\\', 'a\\x'], ['a*', 'a']],
  ];
  for (const [pattern, yes, no] of patterns) {
    it(`by the name or the group ${pattern}, whole`, () => {
      for (const text of yes) {
        expect(covers({ names: [pattern] }, { name: text }), text).to.equal(true);
        expect(covers({ groups: [pattern] }, { group: text }), text).to.equal(true);
      }
      for (const text of no) {
        expect(covers({ names: [pattern] }, { name: text }), text).to.equal(false);
        expect(covers({ groups: [pattern] }, { group: text }), text).to.equal(false);
      }
    });
  }

  it('by a path cover what is beneath it, and no longer name', () => {
    const rows: readonly (readonly [string, boolean])[] = [
      ['^.spec.size', true],
      ['^.spec.size.unit', true],
      ['^.spec.size[*].unit', true],
      ['^.spec.sizes', false],
      ['^.spec', false],
      ['^.status.spec.size', false],
      ['x^.spec.size', false],
    ];
    for (const [path, expected] of rows) {
      expect(covers({ paths: ['^.spec.size'] }, { path }), path).to.equal(expected);
    }
  });

  it('by a path cover no field whose name only looks like what is beneath it', () => {
    const field = { type: 'string' };
    const definition = (properties: object): JsonObject =>
      exampleOfSpec({ type: 'object', properties } as JsonObject);
    const size = { size: { type: 'object', properties: { unit: field } } };
    const lossOf = (old: object): readonly Finding[] => {
      const judge = Judge.for({ profile: 'olm-v1' }, 'hurried');
      return judge.upgrade(definition(old), definition({})).findings;
    };
    const isCovered = (findings: readonly Finding[], path: string): boolean => {
      expect(findings).to.not.be.empty;
      const subject = { groups: [], name: 'widgets.example.com' };
      return findings.every(
        (each) =>
          new SubjectExemptions([{ paths: [path] }], subject, new Date(0)).find(each) !== undefined,
      );
    };
    for (const name of ['size.unit', 'size[*]']) {
      const attack = lossOf({ [name]: field });
      expect(isCovered(attack, '^.spec.size')).to.equal(false);
      expect(isCovered(attack, `^.spec.${name}`)).to.equal(false);
      expect(isCovered(attack, `^.spec[${JSON.stringify(name)}]`)).to.equal(true);
      expect(isCovered(attack, '^.spec')).to.equal(true);
    }
    expect(isCovered(lossOf(size), '^.spec.size')).to.equal(true);
    expect(lossOf(size).some(({ exactPath }) => exactPath !== undefined)).to.equal(false);
  });

  it('must match in every list that is given', () => {
    const exemption: Exemption = { groups: ['example.com'], names: ['widgets.*'] };
    expect(covers(exemption, {})).to.equal(true);
    expect(covers(exemption, { group: 'example.org' })).to.equal(false);
    expect(covers(exemption, { name: 'gadgets.example.com' })).to.equal(false);
  });

  it('take time that grows with the name, whatever the pattern', () => {
    const pattern = `${'a*'.repeat(200)}b`;
    expect(covers({ names: [pattern] }, { name: 'a'.repeat(5000) })).to.equal(false);
  });
});
