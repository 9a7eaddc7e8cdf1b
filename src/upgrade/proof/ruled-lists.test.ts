/** Bounds on lists whose items have rules and required fields: the object is there, and is found. */
import { expect } from 'chai';
import { samples } from '../../rule/testing/samples.js';
import { compileValidator } from '../../kubernetes/apiserver/validator.js';
import { own, type JsonObject, type JsonValue } from '../../text/documents/index.js';
import { definition } from '../rules/crd/testing/definition.js';
import { Budget } from './budget.js';
import { proveDocuments } from './testing/prove-documents.js';
import { kindOf, Trial } from './search/trial.js';
import { Dice } from './testing/dice.js';
import { ruledListPair } from './testing/ruled-lists.js';

describe('proofs of bounds on lists of objects with rules', () => {
  const pairs = Array.from({ length: samples(40) }, (_, seed) =>
    ruledListPair(seed + 1, new Dice(seed + 1)),
  );
  const readerOf = (definition: JsonObject): string => {
    const { versions } = definition['spec'] as { versions: { name: string }[] };
    return versions[0]?.name ?? '';
  };

  it('show objects that the API server refuses', () => {
    for (const { title, old, new: next, breaking } of pairs) {
      const to = readerOf(next);
      const { group } = next['spec'] as { group: string };
      const validators = [compileValidator(old, 'v1'), compileValidator(next, to)] as const;
      const trial = new Trial(...validators, `${group}/${to}`, new Budget(Infinity));
      expect(kindOf(trial.damage(breaking)), title).to.equal('breaking');
    }
  });

  it('find an object for each', () => {
    const missed = pairs.flatMap(({ title, old, new: next }) => {
      const { results } = proveDocuments(old, next);
      const broken = results.filter(({ effect }) => effect === 'breaking');
      const isShown = broken.some(
        ({ witness }) => own(witness as JsonObject, 'spec') !== undefined,
      );
      return isShown ? [] : [`${title}: ${results.map(({ reason }) => reason).join(' / ')}`];
    });
    expect(missed).to.deep.equal([]);
  });

  it('find two routes where an added version takes one, and names are unique where they are there', () => {
    const text = { type: 'string', minLength: 1, maxLength: 63 } as const;
    const backend = {
      type: 'object',
      required: ['name'],
      properties: {
        group: { type: 'string', maxLength: 63, default: '', pattern: '^$|^[a-z]+$' },
        kind: { ...text, default: 'Service' },
        ...{ name: text, port: { type: 'integer', minimum: 1, maximum: 65535 } },
      },
      'x-kubernetes-validations': [
        { rule: "(size(self.group) == 0 && self.kind == 'Service') ? has(self.port) : true" },
      ],
    };
    const backends = { type: 'array', minItems: 1, maxItems: 16, items: backend };
    const version = (name: string, isStored: boolean, maxItems: number): JsonValue => {
      const route = {
        ...{ type: 'object', required: ['backends'] },
        properties: { name: text, backends },
      };
      const routes = {
        ...{ type: 'array', minItems: 1, maxItems, items: route },
        'x-kubernetes-validations': [
          {
            rule: 'self.all(x, !has(x.name) || self.exists_one(y, has(y.name) && x.name == y.name))',
          },
        ],
      };
      const spec = { type: 'object', required: ['routes'], properties: { routes } };
      const schema = { type: 'object', required: ['spec'], properties: { spec } };
      return { name, served: true, storage: isStored, schema: { openAPIV3Schema: schema } };
    };
    const of = (...versions: JsonValue[]): JsonObject => {
      const made = definition({ versions: [] });
      return { ...made, spec: { ...(made['spec'] as JsonObject), versions } };
    };
    const old = of(version('v1alpha2', true, 16));
    const next = of(version('v1', true, 1), version('v1alpha2', false, 16));
    const [result, ...others] = proveDocuments(old, next).results;
    expect(others).to.deep.equal([]);
    expect(result).to.include({ effect: 'breaking', path: '^.spec.routes', from: 'v1alpha2' });
    const { spec } = result?.witness as { spec: { routes: JsonValue[] } };
    expect(spec.routes).to.have.length(2);
  });
});
