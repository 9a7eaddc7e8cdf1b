/** The scenarios and examples of OpenShift's page “Operator Lifecycle Manager dependency resolution” (4.12). */
import { expect } from 'chai';
import type { JsonValue } from '../../text/documents/index.js';
import type { NamespaceState } from './namespace.js';
import { resolve } from './resolve.js';
import {
  constraint,
  namespaceWith,
  needsApi,
  type BundleSketch,
} from './testing/small-namespace.js';

const planned = (state: NamespaceState): string[] | string => {
  const { outcome } = resolve(state);
  return outcome.ok ? outcome.installPlan.map(({ name }) => name) : outcome.error;
};

describe('the documented scenarios', () => {
  const a1: BundleSketch = { name: 'a.v1.0.0', provides: ['A'], needs: [needsApi('B')] };
  const b1: BundleSketch = { name: 'b.v1.0.0', provides: ['B'] };

  it('deprecated dependent API: the provider of B is not upgraded to one that drops B', () => {
    const b2: BundleSketch = { name: 'b.v2.0.0', provides: ['C'] };
    const subscriptions = [
      { package: 'a', installedCSV: 'a.v1.0.0' },
      { package: 'b', installedCSV: 'b.v1.0.0' },
    ];
    expect(planned(namespaceWith([a1, b1, b2], subscriptions, [a1, b1]))).to.deep.equal([]);
  });

  describe('version deadlock', () => {
    const b: BundleSketch = { name: 'b.v1.0.0', provides: ['B'], needs: [needsApi('A')] };
    const a2: BundleSketch = { name: 'a.v2.0.0', provides: ['A2'], needs: [needsApi('B2')] };
    const b2: BundleSketch = { name: 'b.v2.0.0', provides: ['B2'], needs: [needsApi('A2')] };
    const owned = { package: 'a', installedCSV: 'a.v1.0.0' };

    it('both are upgraded together when both have subscriptions', () => {
      const subscriptions = [owned, { package: 'b', installedCSV: 'b.v1.0.0' }];
      const state = namespaceWith([a1, a2, b, b2], subscriptions, [a1, b]);
      expect(planned(state)).to.deep.equal(['a.v2.0.0', 'b.v2.0.0']);
    });

    it('neither is upgraded when one of them has none', () => {
      const state = namespaceWith([a1, a2, b, b2], [owned], [a1, b]);
      expect(planned(state)).to.deep.equal([]);
    });
  });

  it('no AND between dependencies: a version and an API may come from two operators', () => {
    const state = namespaceWith(
      [
        {
          name: 'a.v1.0.0',
          dependencies: [
            { type: 'olm.package', value: { packageName: 'etcd', version: '>3.1.0' } },
            {
              type: 'olm.gvk',
              value: { group: 'example.com', kind: 'EtcdCluster', version: 'v1' },
            },
          ],
        },
        { name: 'etcd.v3.2.0' },
        { name: 'other.v1.0.0', provides: ['EtcdCluster'] },
      ],
      [{ package: 'a' }],
    );
    expect(planned(state)).to.deep.equal(['a.v1.0.0', 'etcd.v3.2.0', 'other.v1.0.0']);
  });

  it('cross-namespace deadlock: an update here does not see who needs the old API elsewhere', () => {
    const b2: BundleSketch = { name: 'b.v2.0.0', provides: ['C'] };
    const state = namespaceWith([a1, b1, b2], [{ package: 'b', installedCSV: 'b.v1.0.0' }], [b1]);
    const elsewhere = { name: 'a.v1.0.0', namespace: 'elsewhere', properties: [needsApi('B')] };
    const both = { ...state, installedCSVs: [...(state.installedCSVs ?? []), elsewhere] };
    expect(planned(both)).to.deep.equal(['b.v2.0.0']);
  });
});

const gvk = (group: string, version: string, kind: string): JsonValue => ({
  gvk: { group, version, kind },
});
const blue = (range: string): JsonValue => ({ package: { name: 'blue', versionRange: range } });
const allExample: JsonValue = {
  failureMessage: 'All are required for Red because...',
  all: { constraints: [blue('>=1.0.0'), gvk('example.com', 'v1', 'Green')] },
};
const anyExample: JsonValue = {
  failureMessage: 'Any are required for Red because...',
  any: {
    constraints: [
      gvk('example.com', 'v1beta1', 'Blue'),
      gvk('example.com', 'v1beta2', 'Blue'),
      gvk('example.com', 'v1', 'Blue'),
    ],
  },
};
const notExample: JsonValue = {
  all: {
    constraints: [blue('>=1.0.0'), { not: { constraints: [gvk('example.com', 'v1', 'greens')] } }],
  },
};
const nestedExample: JsonValue = {
  failureMessage: 'Required for Red because...',
  any: {
    constraints: [
      { all: { constraints: [blue('>=1.0.0'), gvk('example.com', 'v1', 'Blue')] } },
      { all: { constraints: [blue('<1.0.0'), gvk('example.com', 'v1', 'OldBlue')] } },
    ],
  },
};

interface Row {
  readonly title: string;
  readonly value: JsonValue;
  readonly others: readonly BundleSketch[];
  /** Beside red; or the beginning of the failure. */
  readonly documents: readonly string[] | string;
  readonly olm: readonly string[] | string;
}

const unknownName = 'parse olm.constraint: json: unknown field "name"';
const rows: readonly Row[] = [
  {
    title: 'all is met by two bundles',
    value: allExample,
    others: [{ name: 'blue.v1.0.0' }, { name: 'green.v1.0.0', provides: ['Green'] }],
    documents: ['blue.v1.0.0', 'green.v1.0.0'],
    olm: unknownName,
  },
  {
    title: 'all with the key that OLM reads needs one bundle',
    value: {
      all: {
        constraints: [
          { package: { packageName: 'blue', versionRange: '>=1.0.0' } },
          gvk('example.com', 'v1', 'Green'),
        ],
      },
    },
    others: [{ name: 'blue.v1.0.0' }, { name: 'green.v1.0.0', provides: ['Green'] }],
    documents: ['blue.v1.0.0', 'green.v1.0.0'],
    olm: 'constraints not satisfiable: bundle red.v1.0.0 requires an operator with package: blue and with version in range: >=1.0.0 and providing an API',
  },
  {
    title: 'any is met by one of three versions',
    value: anyExample,
    others: [{ name: 'blue.v1.0.0', provides: ['Blue'] }],
    documents: ['blue.v1.0.0'],
    olm: ['blue.v1.0.0'],
  },
  {
    title: 'not leaves a bundle without the API',
    value: notExample,
    others: [{ name: 'blue.v1.0.0' }],
    documents: ['blue.v1.0.0'],
    olm: unknownName,
  },
  {
    title: 'not forbids the API to every chosen bundle',
    value: notExample,
    others: [
      { name: 'blue.v1.0.0', needs: [needsApi('greens')] },
      { name: 'green.v1.0.0', provides: ['greens'] },
    ],
    documents: 'constraints not satisfiable: ',
    olm: unknownName,
  },
  {
    title: 'not by itself needs nothing',
    value: { not: { constraints: [gvk('example.com', 'v1', 'greens')] } },
    others: [{ name: 'green.v1.0.0', provides: ['greens'] }],
    documents: [],
    // OLM looks for some bundle that is not such: red itself is one.
    olm: [],
  },
  {
    title: 'nested: the first conjunction',
    value: nestedExample,
    others: [{ name: 'blue.v1.2.0', provides: ['Blue'] }],
    documents: ['blue.v1.2.0'],
    olm: unknownName,
  },
  {
    title: 'nested: the second conjunction, when the first has no API',
    value: nestedExample,
    others: [{ name: 'blue.v0.9.0', provides: ['OldBlue'] }, { name: 'blue.v1.2.0' }],
    documents: ['blue.v0.9.0'],
    olm: unknownName,
  },
  {
    title: 'cel: one rule',
    value: {
      failureMessage: 'require to have "certified"',
      cel: { rule: 'properties.exists(p, p.type == "certified")' },
    },
    others: [{ name: 'blue.v1.0.0', needs: [{ type: 'certified', value: true }] }],
    documents: ['blue.v1.0.0'],
    olm: ['blue.v1.0.0'],
  },
  {
    title: 'cel: two rules in one expression are met by one bundle',
    value: {
      cel: {
        rule: 'properties.exists(p, p.type == "certified") && properties.exists(p, p.type == "stable")',
      },
    },
    others: [
      { name: 'blue.v1.0.0', needs: [{ type: 'certified', value: true }] },
      { name: 'green.v1.0.0', needs: [{ type: 'stable', value: true }] },
    ],
    documents: 'constraints not satisfiable: ',
    olm: 'constraints not satisfiable: ',
  },
];

describe('the documented constraints', () => {
  for (const { title, value, others, documents, olm } of rows) {
    for (const [semantics, expected] of [
      ['documents', documents],
      ['olm', olm],
    ] as const) {
      it(`${title} (${semantics})`, () => {
        const red: BundleSketch = { name: 'red.v1.0.0', needs: [constraint(value)] };
        const state = namespaceWith([red, ...others], [{ package: 'red' }]);
        const plan = planned({ ...state, semantics });
        if (typeof expected === 'string') expect(plan).to.be.a('string').that.contains(expected);
        else expect(plan).to.deep.equal([...expected, 'red.v1.0.0'].sort());
      });
    }
  }

  it('reads the constraint that the printed example has beside an empty value', () => {
    const beside = { type: 'olm.constraint', value: null, ...(notExample as object) };
    const state = namespaceWith(
      [
        { name: 'red.v1.0.0', needs: [beside] },
        { name: 'blue.v1.0.0', provides: ['greens'] },
        { name: 'blue.v1.0.1' },
      ],
      [{ package: 'red' }],
    );
    expect(planned({ ...state, semantics: 'documents' })).to.deep.equal([
      'blue.v1.0.1',
      'red.v1.0.0',
    ]);
    expect(planned(state)).to.contain('constraint is empty');
  });

  it('has half the size limit that OLM has', () => {
    const failureMessage = 'x'.repeat(70_000);
    const value = { failureMessage, package: { packageName: 'blue', versionRange: '>=1.0.0' } };
    const red: BundleSketch = { name: 'red.v1.0.0', needs: [constraint(value)] };
    const state = namespaceWith([red, { name: 'blue.v1.0.0' }], [{ package: 'red' }]);
    expect(planned(state)).to.deep.equal(['blue.v1.0.0', 'red.v1.0.0']);
    expect(planned({ ...state, semantics: 'documents' })).to.contain('max constraint size 65536');
  });
});
