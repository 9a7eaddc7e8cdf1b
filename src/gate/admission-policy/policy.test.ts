import { expect } from 'chai';
import {
  InvalidInputError,
  metaOf,
  stringifyJson,
  type JsonObject,
} from '../../text/documents/index.js';
import { policyOf } from './policy.js';
import { staticWebhooks } from './static-webhooks.js';

const definition = (group: string): JsonObject => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `widgets.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { kind: 'Widget', plural: 'widgets' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', properties: { a: { type: 'string' } } } },
      },
    ],
  },
});

const namesOf = (group: string): string[] =>
  policyOf(definition(group)).objects.map((object) => metaOf(object).name);

describe('names of exported policies', () => {
  it('are unique to a definition', () => {
    expect(namesOf('example.com')).to.include('olm-guard.1-v1.widgets.example.com');
    const names = ['example.com', 'example.com-1', '1.example.com'].flatMap((group) => [
      ...new Set(namesOf(group)),
    ]);
    expect(new Set(names).size).to.equal(names.length);
  });

  it('are names, however long that of the definition is', () => {
    for (const length of [1, 2, 3]) {
      const group = `${'g'.repeat(60)}.`.repeat(3) + `${'x'.repeat(56 + length)}.y`;
      for (const name of namesOf(group)) {
        expect(name.length, name).to.be.at.most(253);
        expect(name).to.match(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/);
      }
    }
  });

  it('are reserved ones in the static form, and within the same length', () => {
    const group = `${'g'.repeat(60)}.`.repeat(3) + `${'x'.repeat(58)}.y`;
    for (const object of policyOf(definition(group), { isStatic: true }).objects) {
      const { name } = metaOf(object);
      expect(name.length).to.be.at.most(253);
      expect(name).to.match(/[a-z0-9]\.static\.k8s\.io$/);
      const bound = (object['spec'] as JsonObject)['policyName'];
      expect(bound ?? name).to.equal(name);
    }
  });

  it('are those of no definition that is called as one of them is cut', () => {
    const group = `${'g'.repeat(60)}.`.repeat(3) + `${'x'.repeat(50)}.yyyyyy`;
    for (const cut of namesOf(group).filter((name) => name.length === 253)) {
      const [, other = ''] = /^olm-guard\.(?:\d-[^.]+\.)?widgets\.(.*)$/.exec(cut) ?? [];
      expect(namesOf(other), cut).not.to.include(cut);
    }
  });

  it('differ where only their ends do, which are cut', () => {
    const group = `${'g'.repeat(60)}.`.repeat(3) + 'x'.repeat(57);
    const names = [`${group}.a`, `${group}.b`].flatMap((each) => [...new Set(namesOf(each))]);
    expect(new Set(names).size).to.equal(names.length);
  });
});

describe('policies of definitions that are written to break them', () => {
  const withFields = (properties: JsonObject): JsonObject => {
    const crd = definition('example.com');
    const [version] = (crd['spec'] as JsonObject)['versions'] as [JsonObject];
    version['schema'] = {
      openAPIV3Schema: { type: 'object', description: 'secret words', properties },
    };
    return crd;
  };

  it('hold names, patterns and rules as texts, and no description', () => {
    const quote = '"] == [] || true || ["\\';
    const node = {
      type: 'string',
      description: 'secret words',
      pattern: quote,
      'x-kubernetes-validations': [{ rule: quote }],
    };
    const text = stringifyJson([...policyOf(withFields({ [quote]: node })).objects]);
    expect(text).not.to.include('secret words');
    // Each stands in a literal of CEL, which stands in a text of JSON.
    expect(text.split(stringifyJson(stringifyJson(quote)).slice(1, -1)).length).to.be.at.least(4);
    expect(text.split(stringifyJson(quote).slice(1, -1)).length).to.equal(1);
  });

  it('say how many fields they leave out', () => {
    const many = Object.fromEntries(
      Array.from({ length: 10_050 }, (_, index) => [`f${index}`, { type: 'string' }]),
    );
    const { notCovered, objects } = policyOf(withFields(many));
    const left = notCovered.find((each) => / of 10051 fields of v1: an API server/.test(each));
    expect(Number.parseInt(left ?? '0')).to.be.within(6_500, 7_500);
    for (const object of objects) expect(stringifyJson(object).length).to.be.below(1_500_000);
  });
});

describe('the registration of webhooks from a file', () => {
  const registration: JsonObject = {
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: 'olm-guard', resourceVersion: '7' },
    webhooks: [
      { name: 'w.x.y', clientConfig: { service: { path: '/validate' }, caBundle: 'QQ==' } },
    ],
  };

  it('has an address in place of the service, and nothing that an API server wrote', () => {
    expect(staticWebhooks(registration, { url: 'https://10.0.0.7:8443' })).to.deep.equal({
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: 'olm-guard.static.k8s.io' },
      webhooks: [
        {
          name: 'w.x.y',
          clientConfig: { url: 'https://10.0.0.7:8443/validate', caBundle: 'QQ==' },
        },
      ],
    });
  });

  it('is refused without an authority, with an odd address, and where it is none', () => {
    const open = { ...registration, webhooks: [{ name: 'w.x.y', clientConfig: {} }] };
    const at = { url: 'https://10.0.0.7' };
    expect(() => staticWebhooks(open, at)).to.throw(InvalidInputError, '--ca');
    const odd = [{ name: 'w.x.y', clientConfig: { url: 'x', caBundle: 'QQ==' } }];
    expect(() => staticWebhooks({ ...open, webhooks: odd }, at)).to.throw(InvalidInputError, 'url');
    expect(() => staticWebhooks({ kind: 'List' }, at)).to.throw(InvalidInputError, 'webhooks');
  });
});
