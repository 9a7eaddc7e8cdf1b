/** What a catalog can hold that would trip a resolver: each ends, and says what it met. */
import { expect } from 'chai';
import { InvalidInputError, type JsonValue } from '../../text/documents/index.js';
import { explain } from './explain.js';
import { loadCatalogs, resolve, type Outcome } from './resolve.js';
import {
  constraint,
  namespaceWith,
  needsApi,
  needsPackage,
  type BundleSketch,
} from './testing/small-namespace.js';

function outcomeOf(bundles: readonly BundleSketch[], budget?: number): Outcome {
  const state = namespaceWith(bundles, [{ package: 'a' }]);
  const loaded = loadCatalogs(state.catalogs ?? []);
  const resolution = resolve(state, loaded, budget === undefined ? {} : { budget });
  expect(explain(state, resolution, loaded).summary).not.to.equal('');
  return resolution.outcome;
}

function refusedOutcomeOf(bundles: readonly BundleSketch[]): Outcome & { ok: false } {
  const outcome = outcomeOf(bundles);
  if (outcome.ok) throw new Error('there is a plan');
  return outcome;
}

const planOf = (outcome: Outcome): string[] => outcome.installPlan.map(({ name }) => name);
const errorOf = (outcome: Outcome): string => (outcome.ok ? '' : outcome.error);

describe('bad input of the resolver', () => {
  it('a circle of dependencies is installed together', () => {
    const outcome = outcomeOf([
      { name: 'a.v1.0.0', provides: ['A'], needs: [needsApi('C')] },
      { name: 'b.v1.0.0', provides: ['B'], needs: [needsApi('A')] },
      { name: 'c.v1.0.0', provides: ['C'], needs: [needsApi('B')] },
    ]);
    expect(planOf(outcome)).to.deep.equal(['a.v1.0.0', 'b.v1.0.0', 'c.v1.0.0']);
  });

  it('a bundle that needs itself meets its need', () => {
    const itself = { provides: ['A'], needs: [needsApi('A'), needsPackage('a', '>=1.0.0')] };
    expect(planOf(outcomeOf([{ name: 'a.v1.0.0', ...itself }]))).to.deep.equal(['a.v1.0.0']);
  });

  it('a bundle that needs another version of itself is out', () => {
    const other = { needs: [needsPackage('a', '<1.0.0')] };
    const outcome = outcomeOf([{ name: 'a.v0.9.0' }, { name: 'a.v1.0.0', ...other }]);
    expect(planOf(outcome)).to.deep.equal(['a.v0.9.0']);
  });

  const ranges: readonly [range: string, error: string][] = [
    ['', "Last element in range is '||'"],
    ['>=1.0.0 ||', "Last element in range is '||'"],
    ['>2.0.0 <1.0.0', 'constraints not satisfiable'],
    ['>=1.0.0 || || <1.0.0', 'nothing between two'],
  ];
  for (const [range, error] of ranges) {
    it(`the range ${JSON.stringify(range)} is named`, () => {
      const needs = [needsPackage('b', range)];
      const outcome = outcomeOf([{ name: 'a.v1.0.0', needs }, { name: 'b.v1.0.0' }]);
      expect(errorOf(outcome)).to.include(error);
    });
  }

  it('thousands of constraints in one bundle are read, and the last one counts', () => {
    const needs = Array.from({ length: 2_000 }, (_, index) =>
      constraint({ package: { packageName: 'b', versionRange: `>=0.0.${index}` } }),
    );
    const b = { name: 'b.v0.0.1999' };
    expect(planOf(outcomeOf([{ name: 'a.v1.0.0', needs }, b]))).to.deep.equal([
      'a.v1.0.0',
      'b.v0.0.1999',
    ]);
    const outcome = outcomeOf([{ name: 'a.v1.0.0', needs }, { name: 'b.v0.0.1998' }]);
    expect(errorOf(outcome)).to.include('with version in range: >=0.0.1999');
  });

  it('a deprecated bundle that needs what is not there is out for the last of both reasons', () => {
    const needs = [needsApi('B'), needsApi('C'), { type: 'olm.deprecated', value: {} }];
    const { failureReasons } = refusedOutcomeOf([{ name: 'a.v1.0.0', needs }]);
    expect(failureReasons).to.deep.equal([
      'bundle a.v1.0.0 requires an operator providing an API with group: example.com, version: v1, kind: C',
      'subscription a exists',
      'subscription a requires catalog/olm/stable/a.v1.0.0',
    ]);
  });

  it('a bundle that its channel lists twice is one option', () => {
    const twice = { name: 'a.v1.0.0', needs: [needsApi('B')], replaces: '' };
    const withdrawn = { name: 'a.v1.1.0', skips: ['a.v1.1.0'] };
    expect(refusedOutcomeOf([twice, withdrawn, twice]).failureReasons).to.include(
      'subscription a requires catalog/olm/stable/a.v1.0.0',
    );
  });

  it('a constraint nested two hundred deep is read', () => {
    let value: JsonValue = { gvk: { group: 'example.com', version: 'v1', kind: 'B' } };
    for (let depth = 0; depth < 200; depth++) value = { all: { constraints: [value] } };
    const outcome = outcomeOf([
      { name: 'a.v1.0.0', needs: [constraint(value)] },
      { name: 'b.v1.0.0', provides: ['B'] },
    ]);
    expect(planOf(outcome)).to.deep.equal(['a.v1.0.0', 'b.v1.0.0']);
  });

  it('unknown types of properties are data, whatever their value', () => {
    const values: JsonValue[] = [null, 'x', [1, [2]], { __proto__: 1 }, true];
    const needs = values.map((value) => ({ type: 'example.com/unknown', value }));
    expect(planOf(outcomeOf([{ name: 'a.v1.0.0', needs }]))).to.deep.equal(['a.v1.0.0']);
  });

  it('a CEL bomb ends within its steps, and is named', () => {
    const nested = (depth: number): string =>
      depth === 0 ? 'true' : `properties.all(p${depth}, ${nested(depth - 1)})`;
    const bomb = constraint({ cel: { rule: nested(12) } });
    const needs = [...Array.from({ length: 30 }, () => needsApi('B')), bomb];
    expect(() =>
      outcomeOf([
        { name: 'a.v1.0.0', needs },
        { name: 'b.v1.0.0', provides: ['B'] },
      ]),
    ).to.throw(InvalidInputError, 'takes more than 1000000 steps');
  });

  it('a channel that two catalogs have is not taken for that of one', () => {
    const subscription = {
      package: 'a',
      catalog: '',
      catalogNamespace: '',
      startingCSV: 'a.v1.0.0',
    };
    const one = namespaceWith([{ name: 'a.v1.0.0' }, { name: 'a.v1.1.0' }], [subscription]);
    const bundles = ['b.v1.0.0', 'b.v1.1.0', 'a.v1.0.0'].map((name) => ({ name }));
    const other = namespaceWith(bundles, []).catalogs ?? [];
    const second = other.map((catalog) => ({ ...catalog, name: 'second' }));
    const { outcome } = resolve({ ...one, catalogs: [...(one.catalogs ?? []), ...second] });
    expect(errorOf(outcome)).to.equal(
      'a unique replacement chain within a channel is required to determine the relative order between channel entries, but 2 replacement chains were found in channel "stable" of package "a": a.v1.0.0, a.v1.0.0',
    );
  });

  it('a puzzle is given up after so many conflicts, in words', () => {
    // Seven operators for six places: each place is one API that only one of them may provide.
    const places = [1, 2, 3, 4, 5, 6];
    const pigeons = [1, 2, 3, 4, 5, 6, 7].map((pigeon) => `p${pigeon}`);
    const outcome = outcomeOf(
      [
        { name: 'a.v1.0.0', needs: pigeons.map((name) => needsPackage(name, '>=1.0.0')) },
        ...pigeons.flatMap((name) =>
          places.map((place) => ({ name: `${name}.v1.0.${place}`, provides: [`Place${place}`] })),
        ),
      ],
      50,
    );
    expect(outcome).to.include({ ok: false, errorKind: 'GaveUp' });
    expect(errorOf(outcome)).to.equal('gave up after 50 conflicts');
  });
});
