import { expect } from 'chai';
import { readCsv } from '../objects/cluster-service-version.js';
import { readOperatorGroup } from '../objects/operator-group.js';
import { mapGroups, type GroupMap, type MapQuestion } from './group-map.js';
import type { OperatorGroup } from './objects.js';

function group(
  name: string,
  reach: readonly string[],
  apis: readonly string[] = [],
): OperatorGroup {
  const [namespace = '', own = ''] = name.split('/');
  const annotations = { 'olm.providedAPIs': apis.join(',') };
  return readOperatorGroup({
    metadata: { name: own, namespace, annotations },
    status: { namespaces: [...reach] },
  });
}

const [report, cat] = ['Report.v1.example.com', 'Cat.v1.example.com'];

/** Each row as its namespaces and what each group is to them; `!` where it conflicts. */
function told({ groups, rows }: GroupMap): string[] {
  return rows.map(
    ({ namespaces, marks, conflicting }) =>
      `${namespaces?.join('+') ?? '*'}: ${marks
        .flatMap((mark, index) =>
          mark === 'none'
            ? []
            : `${groups[index]?.name ?? ''} ${mark}${conflicting.has(index) ? '!' : ''}`,
        )
        .join(', ')}`,
  );
}

function conflictsOf({ groups, conflicts }: GroupMap): string[] {
  return conflicts.map(({ apis, groups: parties, namespaces }) =>
    [
      apis.join('+'),
      parties.map((index) => groups[index]?.name).join('+'),
      namespaces?.join('+') ?? '*',
    ].join(' '),
  );
}

describe('the map of OperatorGroups', () => {
  const rows: readonly [
    rule: string,
    question: Partial<MapQuestion>,
    rows: readonly string[],
    conflicts: readonly string[],
  ][] = [
    [
      'a group reaches its targets and its own namespace',
      { groups: [group('a/a', ['b', 'c'])] },
      ['a: a/a own', 'b+c: a/a reaches'],
      [],
    ],
    ['a group without status reaches nothing', { groups: [group('a/a', [])] }, [], []],
    [
      'sharing a namespace is no conflict while the APIs differ',
      { groups: [group('a/a', ['x'], [report]), group('b/b', ['x'], [cat])] },
      ['a: a/a own', 'b: b/b own', 'x: a/a reaches, b/b reaches'],
      [],
    ],
    [
      'the same API is no conflict while no namespace is shared',
      { groups: [group('a/a', ['x'], [report]), group('b/b', ['y'], [report])] },
      ['a: a/a own', 'b: b/b own', 'x: a/a reaches', 'y: b/b reaches'],
      [],
    ],
    [
      'the same API in a shared namespace is one, and only there',
      { groups: [group('a/a', ['x'], [report, cat]), group('b/b', ['x', 'y'], [report, cat])] },
      ['a: a/a own', 'b: b/b own', 'x: a/a reaches!, b/b reaches!', 'y: b/b reaches'],
      [`${cat}+${report} a/a+b/b x`],
    ],
    [
      'an own namespace counts as a target',
      { groups: [group('a/a', ['x'], [report]), group('b/b', ['a'], [report])] },
      ['a: a/a own!, b/b reaches!', 'b: b/b own', 'x: a/a reaches'],
      [`${report} a/a+b/b a`],
    ],
    [
      'a group of all namespaces meets each other one where that one is',
      { groups: [group('g/g', [''], [report]), group('a/a', ['x'], [report])] },
      ['*: g/g all', 'a: a/a own!, g/g all!', 'g: g/g own', 'x: a/a reaches!, g/g all!'],
      [`${report} a/a+g/g a+x`],
    ],
    [
      'two groups of all namespaces meet everywhere',
      { groups: [group('g/g', [''], [report]), group('h/h', [''], [report])] },
      ['*: g/g all!, h/h all!', 'g: g/g own!, h/h all!', 'h: g/g all!, h/h own!'],
      [`${report} g/g+h/h *`],
    ],
    [
      'two groups in one namespace are in conflict whatever they provide',
      { groups: [group('a/a', ['x']), group('a/b', ['y'])] },
      ['a: a/a own!, a/b own!', 'x: a/a reaches', 'y: a/b reaches'],
      [' a/a+a/b a'],
    ],
  ];
  for (const [rule, question, expected, conflicts] of rows) {
    it(rule, () => {
      const map = mapGroups({ groups: [], csvs: [], ...question });
      expect(told(map)).to.deep.equal(expected);
      expect(conflictsOf(map)).to.deep.equal(conflicts);
      expect(map.leftOut).to.deep.equal([]);
    });
  }

  it('counts what a member owns before OLM has written it down, but no copy’s', () => {
    const csv = (namespace: string, reason = '') =>
      readCsv({
        metadata: { name: 'reports.v1', namespace },
        spec: {
          customresourcedefinitions: {
            owned: [{ name: 'reports.example.com', version: 'v1', kind: 'Report' }],
          },
        },
        status: { phase: 'Failed', reason },
      });
    const groups = [group('a/a', ['x'], [report]), group('b/b', ['x'])];
    const fails = mapGroups({ groups, csvs: [csv('b', 'InterOperatorGroupOwnerConflict')] });
    expect(conflictsOf(fails)).to.deep.equal([`${report} a/a+b/b x`]);
    const copy = mapGroups({ groups, csvs: [csv('b', 'Copied')] });
    expect(conflictsOf(copy)).to.deep.equal([]);
  });

  it('asked about one group, leaves out those that it does not meet', () => {
    const groups = [
      group('a/a', ['x']),
      group('b/b', ['x']),
      group('c/c', ['y']),
      group('d/d', ['']),
    ];
    const map = mapGroups({ groups, csvs: [], asked: new Set(['b/b']) });
    expect(map.groups.map(({ name }) => name)).to.deep.equal(['b/b', 'a/a', 'd/d']);
    expect(map.leftOut).to.deep.equal([
      'Not shown: groups that share no namespace with what was asked about (1)',
    ]);
  });

  it('draws the conflicts of a large cluster, and says what it leaves out', () => {
    const many = Array.from({ length: 500 }, (_, index) =>
      group(`n${index}/n`, [`t${index}`, `u${index}`], [`K${index}.v1.example.com`]),
    );
    const groups = [...many, group('y/y', ['t7', 't8'], [report]), group('z/z', ['t7'], [report])];
    const map = mapGroups({ groups, csvs: [] });
    expect(map.groups.length).to.equal(40);
    expect(map.groups.slice(0, 2).map(({ name }) => name)).to.deep.equal(['y/y', 'z/z']);
    expect(map.rows.length).to.be.at.most(60);
    expect(told(map)).to.include('t7: y/y reaches!, z/z reaches!');
    expect(map.leftOut[0]).to.equal('Not shown: other groups (462)');
  });

  it('gives up on what would take too long, and says so', () => {
    const targets = Array.from({ length: 20_000 }, (_, index) => `n${index}`);
    const groups = Array.from({ length: 20 }, (_, index) =>
      group(`a${index}/a`, targets, [report, ...(index % 2 === 0 ? [cat] : [])]),
    );
    const map = mapGroups({ groups, csvs: [] });
    expect(map.leftOut).to.deep.equal([
      'Not shown: target namespaces (350020)',
      'Not shown: sets of groups that provide the same APIs, not compared (1)',
    ]);
  });
});
