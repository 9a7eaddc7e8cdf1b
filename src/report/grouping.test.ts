import { expect } from 'chai';
import { docsFor, type Finding } from '../rule/finding.js';
import { groupFindings } from './grouping.js';

const minimum = (path: string, more: Partial<Finding> = {}): Finding => ({
  rule: 'ChangeValidator',
  family: 'crd-upgrade-safety',
  severity: 'error',
  version: 'v1',
  path,
  message: `version "v1", field "${path}": minimum: constraint added`,
  docs: docsFor('ChangeValidator'),
  ...more,
});

/** Each kind as the paths that share it. */
function alike(findings: readonly Finding[], proofs: readonly string[] = []): string[][] {
  const proven = findings.map((each, index) => ({
    ...each,
    proof: proofs[index] ?? 'the minimum is new',
  }));
  const verdict = { allowed: false, findings: proven, warnings: [] };
  return groupFindings({ name: 'a', verdict, output: {}, places: [] }).map(({ reported, others }) =>
    [reported, ...others].map(([{ finding }]) => finding.path ?? ''),
  );
}

describe('findings that say the same', () => {
  const rows: readonly (readonly [string, readonly Finding[], readonly string[], string[][]])[] = [
    ['of two fields', [minimum('^.a.x'), minimum('^.b[*].y')], [], [['^.a.x', '^.b[*].y']]],
    [
      'in whatever order',
      [minimum('^.a'), minimum('^.b', { message: 'other' }), minimum('^.c')],
      [],
      [['^.a', '^.c'], ['^.b']],
    ],
    [
      'though the proof names the field of an object',
      [minimum('^.a.x[*]'), minimum('^.b.y')],
      [
        'the minimum is new; a.x[0]: a.x[0] in body is low',
        'the minimum is new; b.y: b.y in body is low',
      ],
      [['^.a.x[*]', '^.b.y']],
    ],
    [
      'though names have dots, brackets and what means something in a pattern',
      [minimum('^.a.x+y'), minimum('^.b.(z')],
      [],
      [['^.a.x+y', '^.b.(z']],
    ],
    [
      'not when their bounds differ',
      [minimum('^.a'), minimum('^.b')],
      ['1', '2'],
      [['^.a'], ['^.b']],
    ],
    [
      'of two versions, in which the same was changed',
      ['v1', 'v2'].map((version) =>
        minimum('^.a', { version, message: `version "${version}", field "^.a": minimum` }),
      ),
      [],
      [['^.a', '^.a']],
    ],
    [
      'not of a version and a pair of versions',
      [minimum('^.a'), minimum('^.a', { version: 'v1 -> v2' })],
      [],
      [['^.a'], ['^.a']],
    ],
    [
      'not of two severities',
      [minimum('^.a'), minimum('^.b', { severity: 'info' })],
      [],
      [['^.a'], ['^.b']],
    ],
    [
      'not when one path has more to say',
      [minimum('^.a'), minimum('^.a', { message: 'and more' }), minimum('^.b')],
      [],
      [['^.a'], ['^.b']],
    ],
    ['not without a path', [minimum(''), minimum('', { version: 'v2' })], [], [[''], ['']]],
  ];
  for (const [name, findings, proofs, expected] of rows) {
    it(name, () => {
      expect(alike(findings, proofs)).to.deep.equal(expected);
    });
  }
});
