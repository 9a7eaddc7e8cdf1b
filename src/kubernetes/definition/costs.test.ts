import { expect } from 'chai';
import type { JsonObject } from '../../text/documents/index.js';
import { costsOf, judgeDefinition } from './testing/judge-definition.js';
import { knownMinors, newestMinor } from './minors.js';

/** A definition whose objects have these fields, with rules about all of them. */
function definition(properties: JsonObject, ...rules: string[]): JsonObject {
  const schema = {
    type: 'object',
    properties,
    'x-kubernetes-validations': rules.map((rule) => ({ rule })),
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { kind: 'Widget', plural: 'widgets' },
      versions: [
        { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } },
        { name: 'v2', served: true, storage: false, schema: { openAPIV3Schema: schema } },
      ],
    },
  };
}

const field = 'spec.validation.openAPIV3Schema.x-kubernetes-validations[0].rule';

function explained(source: JsonObject, at = field) {
  const estimate = costsOf(source)
    .estimates([newestMinor])
    .find((each) => each.field === at);
  if (estimate === undefined) throw new Error(`no estimate of ${at}`);
  const [explanation] = costsOf(source).explain([estimate]);
  return { estimate, ...explanation };
}

const numbers = { type: 'array', items: { type: 'integer' } };
const texts = { type: 'array', items: { type: 'string' } };

describe('costs of rules', () => {
  it('are those of the field that costs, and of all together', () => {
    const source = definition({ l: { ...numbers, maxItems: 2_000_000 } }, 'self.l.all(x, x > 0)');
    expect(costsOf(source).estimates(knownMinors)).to.deep.equal([
      { field, kubernetes: knownMinors, estimated: 10_000_003n, limit: 10_000_000n },
      {
        field: 'spec.validation.openAPIV3Schema',
        kubernetes: knownMinors,
        estimated: 10_000_003n,
        limit: 100_000_000n,
      },
    ]);
  });

  it('are over any limit where servers did not know how large a URL is', () => {
    const text = { type: 'string', maxLength: 63 };
    const source = definition({ u: text }, 'url(self.u) == url(self.u)');
    const costs = costsOf(source)
      .estimates(knownMinors)
      .filter((each) => each.field === field);
    expect(costs.map(({ kubernetes, estimated }) => [kubernetes[0], estimated])).to.deep.equal([
      // As cel-go and the estimator of those minors say.
      ['1.29', 1_844_674_407_370_955_320n],
      ['1.32', 82n],
    ]);
  });

  it('differ between minors where their estimates do', () => {
    const source = definition({ l: { ...numbers, maxItems: 9 } }, 'self.l.map(x, x).sum() > 0');
    const [first, ...others] = costsOf(source).estimates(['1.29', '1.36']).filter((each) => each.field === field); // prettier-ignore
    expect(first).to.deep.include({ kubernetes: ['1.29'], estimated: 2n ** 64n - 1n });
    expect(others).to.have.lengthOf(1);
    expect(Number(others[0]?.estimated)).to.be.below(1_000);
  });

  it('are none of what does not compile, and of what is no definition', () => {
    expect(costsOf(definition({}, 'self.nowhere > 0')).estimates(knownMinors)).to.deep.equal([]);
    expect(costsOf({ spec: { versions: 'none' } }).estimates(knownMinors)).to.deep.equal([]);
  });
});

describe('the explanation of a cost', () => {
  const apply = (properties: JsonObject, name: string, most: number): JsonObject => ({
    ...properties,
    [name]: { ...(properties[name] as JsonObject), maxItems: most },
  });

  it('names the list that multiplies it, and the loosest bound that is enough', () => {
    const properties = { l: numbers, other: numbers };
    const rule = 'self.l.all(x, x > 0)';
    const { multipliedBy, bounds } = explained(definition(properties, `${rule} && true`, rule));
    expect(multipliedBy).to.deep.equal([
      { path: '^.l', keyword: 'maxItems', now: undefined, elsewhere: undefined },
    ]);
    const [bound] = bounds ?? [];
    expect(bounds).to.have.lengthOf(1);
    expect(bound?.stands.map((keys) => keys.slice(0, 3).join('.'))).to.deep.equal([
      'spec.versions.0',
      'spec.versions.1',
    ]);
    const refusals = (most: number) =>
      judgeDefinition(definition(apply(properties, 'l', most), rule), undefined, [newestMinor]);
    expect(refusals(bound?.most ?? 0)).to.deep.equal([]);
    expect(refusals((bound?.most ?? 0) + 1)).to.have.lengthOf(1);
  });

  it('names several bounds where no single one is enough', () => {
    const properties = { a: texts, b: texts };
    const { bounds, multipliedBy } = explained(
      definition(properties, 'self.a.all(x, self.b.exists(y, x == y))'),
    );
    expect(multipliedBy?.map(({ path }) => path).sort()).to.deep.equal(['^.a', '^.a[*]', '^.b', '^.b[*]']); // prettier-ignore
    expect(bounds?.length).to.be.above(1);
    const bounded = (bounds ?? []).reduce<JsonObject>((schema, { path, keyword, most }) => {
      const [name = '', isItem] = path.slice(2).split('[*]').concat('') as [string, string];
      const list = schema[name] as JsonObject;
      const inside = path.endsWith('[*]') ? { items: { ...(list['items'] as JsonObject), [keyword]: most } } : { [keyword]: most }; // prettier-ignore
      void isItem;
      return { ...schema, [name]: { ...list, ...inside } };
    }, properties);
    const fixed = definition(bounded, 'self.a.all(x, self.b.exists(y, x == y))');
    expect(judgeDefinition(fixed, undefined, [newestMinor])).to.deep.equal([]);
  });

  it('knows the lists and maps around a rule', () => {
    const rule = [{ rule: 'self.contains("a")' }];
    const route = { type: 'string', maxLength: 1_000, 'x-kubernetes-validations': rule };
    const map = { type: 'object', additionalProperties: { type: 'array', items: route } };
    const source = definition({ map });
    const inside = 'spec.validation.openAPIV3Schema.properties[map].additionalProperties.items.x-kubernetes-validations[0].rule'; // prettier-ignore
    const { bounds, multipliedBy } = explained(source, inside);
    expect(multipliedBy?.map(({ path }) => path)).to.include.members(['^.map', '^.map[*]']);
    expect(bounds).to.not.equal(undefined);
  });

  it('has no bound for what no bound makes cheap', () => {
    const { bounds, estimate } = explained(definition({ l: numbers }, 'lists.range(self.l.size()).all(i, i > 0)')); // prettier-ignore
    expect(estimate.estimated).to.equal(2n ** 64n - 1n);
    expect(bounds).to.deep.equal([]);
  });

  it('lowers a bound that is too loose, and never loosens one', () => {
    const { bounds, multipliedBy } = explained(
      definition({ l: { ...numbers, maxItems: 3_000_000 } }, 'self.l.all(x, x > 0)'),
    );
    expect(multipliedBy?.[0]?.now).to.equal(3_000_000);
    expect(bounds?.[0]?.most).to.equal(1_999_999);
  });

  it('explains the total cost of a schema', () => {
    const list = { ...numbers, maxItems: 1_900_000 };
    const source = definition({ l: list }, ...Array.from({ length: 12 }, (_, index) => `self.l.all(x, x > ${index})`)); // prettier-ignore
    const { estimate, bounds } = explained(source, 'spec.validation.openAPIV3Schema');
    expect(estimate.estimated).to.equal(12n * (5n * 1_900_000n + 3n));
    expect(bounds?.[0]).to.include({ path: '^.l', keyword: 'maxItems' });
    // Four rules are not looked at, so that the bound is somewhat stricter than it need be.
    expect(bounds?.[0]?.most).to.be.within(1_000_000, 1_666_666);
  });
});
