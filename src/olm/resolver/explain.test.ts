import { expect } from 'chai';
import { explain, type Explanation } from './explain.js';
import { findingsOf } from '../rules/resolution/findings.js';
import type { NamespaceState } from './namespace.js';
import { loadCatalogs, resolve } from './resolve.js';
import {
  constraint,
  namespaceWith,
  needsApi,
  needsPackage,
  type BundleSketch,
} from './testing/small-namespace.js';

function explained(state: NamespaceState): { explanation: Explanation; rules: string[] } {
  const loaded = loadCatalogs(state.catalogs ?? []);
  const resolution = resolve(state, loaded);
  const explanation = explain(state, resolution, loaded);
  return { explanation, rules: findingsOf(state, resolution, explanation).map(({ rule }) => rule) };
}

function conflictOf(state: NamespaceState): Explanation & { kind: 'conflict' } {
  const { explanation } = explained(state);
  if (explanation.kind !== 'conflict') throw new Error(explanation.summary);
  return explanation;
}

describe('the explanation of a conflict', () => {
  it('names the range, what exists, and the version that would do', () => {
    const { conflict, changes } = conflictOf(
      namespaceWith(
        [
          { name: 'a.v1.0.0', needs: [needsPackage('b', '>=9.0.0')] },
          { name: 'b.v1.0.0' },
          { name: 'b.v2.0.0' },
        ],
        [{ package: 'a' }],
      ),
    );
    expect(conflict).to.deep.equal([
      'Subscription a asks for package a from channel stable of catalog catalog in olm; it can be met by a.v1.0.0.',
      'a.v1.0.0 (channel stable of catalog catalog in olm) needs package b in range >=9.0.0. Nothing meets that: package b exists as b.v1.0.0, b.v2.0.0.',
    ]);
    expect(changes.map(({ kind, installs }) => ({ kind, installs }))).to.deep.equal([
      { kind: 'widen-range', installs: ['a.v1.0.0', 'b.v2.0.0'] },
      { kind: 'remove-subscription', installs: [] },
    ]);
    expect(changes[0]?.sentence).to.equal(
      'Widen the range of a.v1.0.0 on package b (now >=9.0.0) so that it takes b.v2.0.0.',
    );
  });

  it('shows the message of the author', () => {
    const value = {
      failureMessage: 'ask the storage team',
      gvk: { group: 'g', version: 'v1', kind: 'K' },
    };
    const state = namespaceWith(
      [{ name: 'a.v1.0.0', needs: [constraint(value)] }],
      [{ package: 'a' }],
    );
    expect(conflictOf(state).summary).to.contain('Its author says: "ask the storage team".');
  });

  it('shows what the author says of the parts, too', () => {
    const part = (kind: string) => ({
      failureMessage: `${kind} is needed`,
      gvk: { group: 'g', version: 'v1', kind },
    });
    const value = {
      failureMessage: 'ask the storage team',
      all: { constraints: [part('A'), { any: { constraints: [part('B')] } }] },
    };
    const state = namespaceWith(
      [{ name: 'a.v1.0.0', needs: [constraint(value)] }],
      [{ package: 'a' }],
    );
    expect(conflictOf(state).summary).to.contain(
      'Its author says: "ask the storage team", "A is needed", "B is needed".',
    );
  });

  it('says what to write instead of a constraint that OLM cannot read', () => {
    const needs = [constraint({ package: { name: 'b', versionRange: '>=1.0.0' } })];
    const state = namespaceWith([{ name: 'a.v1.0.0', needs }], [{ package: 'a' }]);
    const { explanation } = explained(state);
    expect(explanation.kind === 'error' ? explanation.places : []).to.deep.equal([
      'The bundle is a.v1.0.0 (channel stable of catalog catalog in olm). What would help: in "package" write packageName where it says name.',
    ]);
  });

  it('offers the pin that is in the way', () => {
    const bundles: BundleSketch[] = [
      { name: 'a.v1.0.0', needs: [needsApi('Gone')] },
      { name: 'a.v2.0.0' },
    ];
    const { changes } = conflictOf(
      namespaceWith(bundles, [{ package: 'a', startingCSV: 'a.v1.0.0' }]),
    );
    expect(changes[0]).to.deep.equal({
      kind: 'remove-pin',
      sentence: 'Remove startingCSV a.v1.0.0 from subscription a.',
      installs: ['a.v2.0.0'],
    });
  });

  it('offers a subscription for a CSV that has none', () => {
    const b1: BundleSketch = { name: 'b.v1.0.0', provides: ['B'] };
    const { changes } = conflictOf(
      namespaceWith(
        [
          { name: 'a.v1.0.0', needs: [needsPackage('b', '>=2.0.0')] },
          b1,
          { name: 'b.v2.0.0', provides: ['B'] },
        ],
        [{ package: 'a' }],
        [b1],
      ),
    );
    expect(changes.map(({ kind }) => kind)).to.deep.equal([
      'widen-range',
      'own-csv',
      'remove-csv',
      'remove-subscription',
    ]);
    expect(changes[1]?.installs).to.deep.equal(['a.v1.0.0', 'b.v2.0.0']);
  });

  it('lists the channels when the channel does not exist', () => {
    const { conflict, changes } = conflictOf(
      namespaceWith([{ name: 'a.v1.0.0' }], [{ package: 'a', channel: 'beta' }]),
    );
    expect(conflict[0]).to.contain('The package has the channels stable.');
    expect(changes[0]?.sentence).to.equal('Set the channel of subscription a to stable.');
  });
});

describe('the explanation of a solution', () => {
  it('says why an upgrade is held back, as a warning', () => {
    const a: BundleSketch = { name: 'a.v1.0.0', provides: ['A'], needs: [needsApi('B')] };
    const b: BundleSketch = { name: 'b.v1.0.0', provides: ['B'] };
    const { explanation, rules } = explained(
      namespaceWith(
        [a, b, { name: 'b.v2.0.0', provides: ['C'] }],
        [
          { package: 'a', installedCSV: 'a.v1.0.0' },
          { package: 'b', installedCSV: 'b.v1.0.0' },
        ],
        [a, b],
      ),
    );
    if (explanation.kind !== 'solution') throw new Error(explanation.summary);
    const kept = explanation.operators.find(({ name }) => name === 'b.v1.0.0');
    expect(kept?.action).to.equal('keep');
    expect(kept?.passedOver[0]?.name).to.equal('b.v2.0.0');
    expect(kept?.passedOver[0]?.reason).to.contain('needs the API B (example.com/v1)');
    expect(rules).to.deep.equal(['UpgradeHeldBack']);
  });

  it('does not say that what is to be installed is kept, where nothing says whose it is', () => {
    const state = namespaceWith([{ name: 'a.v1.0.0' }], [{ package: 'a' }]);
    const { explanation } = explained({
      ...state,
      installedCSVs: [{ name: 'a.v1.0.0', namespace: 'operators', version: '1.0.0' }],
    });
    if (explanation.kind !== 'solution') throw new Error(explanation.summary);
    expect(explanation.summary).to.equal(
      'In namespace operators OLM plans to install a.v1.0.0, which is there already: it does not know the package of what runs.',
    );
    const kept = explanation.operators.find(({ action }) => action === 'keep');
    expect(kept?.because).to.contain('without a property olm.package');
  });

  it('says what is pulled in for whom', () => {
    const { explanation, rules } = explained(
      namespaceWith(
        [
          { name: 'a.v1.0.0', needs: [needsApi('B')] },
          { name: 'b.v1.0.0', provides: ['B'] },
          { name: 'b.v2.0.0', provides: ['B'] },
        ],
        [{ package: 'a' }],
      ),
    );
    if (explanation.kind !== 'solution') throw new Error(explanation.summary);
    expect(explanation.operators.map(({ name, because }) => [name, because])).to.deep.equal([
      ['a.v1.0.0', 'subscription a asks for it: it is the first from the head of channel stable'],
      ['b.v2.0.0', 'a.v1.0.0 needs the API B (example.com/v1)'],
    ]);
    expect(
      explanation.operators[1]?.passedOver.map(({ name, reason }) => [name, reason]),
    ).to.deep.equal([['b.v1.0.0', 'it is further from the head of the channel']]);
    expect(rules).to.deep.equal(['OperatorPulledIn']);
  });
});

describe('the explanation of an error', () => {
  const remedy =
    'write only failureMessage, gvk {group, version, kind}, package {packageName, versionRange}, all, any and not {constraints: […]}, cel {rule}';

  it('names the bundle, which OLM does not', () => {
    const { explanation, rules } = explained(
      namespaceWith([{ name: 'a.v1.0.0', needs: [constraint({ zz: 1 })] }], [{ package: 'a' }]),
    );
    expect(explanation).to.deep.equal({
      kind: 'error',
      summary:
        'Nothing in namespace operators can be installed or upgraded: parse olm.constraint: json: unknown field "zz".',
      places: [
        `The bundle is a.v1.0.0 (channel stable of catalog catalog in olm). What would help: ${remedy}.`,
      ],
      remedies: [remedy],
    });
    expect(rules).to.deep.equal(['ResolutionPrevented']);
  });
});
