import { expect } from 'chai';
import jsonPatch, { type Operation } from 'fast-json-patch';
import { judgeDefinition } from '../../../kubernetes/definition/testing/judge-definition.js';
import { knownMinors, minorsByDefault } from '../../../kubernetes/definition/minors.js';
import { sizesOf } from '../../../kubernetes/definition/sizes.js';
import { type Finding, foundAt } from '../../../rule/index.js';
import { exampleOfSpec } from '../crd/example-definition.js';
import { parseJson, stringifyJson, type JsonObject } from '../../../text/documents/index.js';
import { definitionFindings } from './findings.js';

import { judgeForServers } from './judge.js';

function findingsOf(spec: Parameters<typeof exampleOfSpec>[0]): Finding[] {
  const definition = exampleOfSpec(spec);
  const refusals = judgeDefinition(definition, undefined, knownMinors);
  return definitionFindings(definition, refusals, sizesOf(definition));
}

const sized = (bytes: number): JsonObject =>
  exampleOfSpec({ type: 'object', description: 'x'.repeat(bytes) });

const metaObject = { name: 'widgets.example.com' };

const described = (bytes: number): Finding[] =>
  findingsOf({ type: 'object', description: 'x'.repeat(bytes) });

const judgedBy = (next: JsonObject, old?: JsonObject): readonly Finding[] =>
  judgeForServers(next, old, minorsByDefault()).findings;

describe('findings about a definition', () => {
  it('says which minors refuse', () => {
    const found = findingsOf({
      type: 'object',
      properties: { address: { type: 'string' } },
      'x-kubernetes-validations': [{ rule: 'isIP(self.address)' }],
    });
    expect(found.map(({ rule, path }) => [rule, path])).to.deep.equal([
      [
        'CelCompile',
        'spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].rule',
      ],
    ]);
    expect(found[0]?.message).to.match(/\(Kubernetes 1\.29 to 1\.30\)$/);
  });

  it('explains what a rule costs, and names the bound that is enough, as a patch', () => {
    const definition = exampleOfSpec({
      type: 'object',
      properties: { routes: { type: 'array', items: { type: 'integer' } } },
      'x-kubernetes-validations': [{ rule: 'self.routes.all(a, self.routes.exists(b, a == b))' }],
    });
    const { findings, cheaper } = judgeForServers(definition, undefined, minorsByDefault());
    const [finding = expect.fail('no finding')] = findings.filter(
      (each) => each.rule === 'CelCost',
    );
    expect(finding.message).to.match(
      /\(Kubernetes 1\.29 to 1\.37\); estimated cost \d+, and at most 10000000 may be; multiplied by \^\.spec\.routes \(no maxItems\): add maxItems: \d+ to \^\.spec\.routes$/,
    );
    expect(finding[foundAt]?.keys.at(-1)).to.equal('rule');
    expect(cheaper).to.have.lengthOf(1);
    const { newDocument } = jsonPatch.applyPatch(structuredClone(definition), finding.fix as Operation[]); // prettier-ignore
    expect(judgedBy(newDocument).map(({ severity }) => severity)).to.deep.equal(['info']); // prettier-ignore
  });

  it('only warns of what an update keeps and a new cluster refuses, and of older minors', () => {
    const withRule = (size: JsonObject) => exampleOfSpec({ type: 'object', properties: { size } });
    const old = withRule({ type: 'string', default: 1 });
    const severities = (next: JsonObject, before?: JsonObject) =>
      judgedBy(next, before).map(({ severity }) => severity);
    const newer = { type: 'string', 'x-kubernetes-validations': [{ rule: 'isIP(self)' }] };
    expect(severities(withRule(newer))).to.deep.equal(['warning']);
    expect(severities(old)).to.deep.equal(['error']);
    const unpruned = exampleOfSpec({
      type: 'object',
      properties: { size: { type: 'object', default: { a: 1 }, properties: {} } },
    });
    const judged = judgedBy(unpruned, unpruned);
    expect(judged.map(({ severity }) => severity)).to.deep.equal(['warning']);
    expect(judged[0]?.message).to.match(/the update is taken, but not a create/);
  });

  it('says from which size on kubectl apply, etcd and requests do not take it', () => {
    const rules = (bytes: number): string[] => described(bytes).map(({ rule }) => rule);
    expect(rules(250_000)).to.deep.equal([]);
    expect(rules(262_144)).to.deep.equal(['TooLargeToApply']);
    const severities = (bytes: number): string[] =>
      described(bytes).map(({ rule, severity }) => `${severity} ${rule}`);
    expect(severities(1_100_000)).to.deep.equal([
      'warning TooLargeToApply',
      'warning TooLargeToStore',
    ]);
    expect(described(1_100_000)[1]?.message).to.match(
      /Secret or ConfigMap.*descriptions are 100 %/,
    );
    expect(severities(1_600_000).slice(2)).to.deep.equal(['error TooLargeToStore']);
    expect(rules(3_200_000)).to.have.lengthOf(4);
  });

  it('only notes a limit that the old definition exceeds already', () => {
    const told = judgedBy(sized(300_000), sized(299_000));
    expect(told.map(({ rule, severity }) => `${severity} ${rule}`)).to.deep.equal([
      'info TooLargeToApply',
    ]);
    expect(told[0]?.message).to.include('so is the old definition');
    const grown = judgedBy(sized(300_000), sized(200_000));
    expect(grown.map(({ severity }) => severity)).to.deep.equal(['warning']);
  });

  it('says what takes the room, and what would be left without it', () => {
    const [finding] = described(300_000);
    expect(finding?.message).to.match(
      /descriptions are 100 %; without them \d{3} ?, and at most 262144/,
    );
    expect(finding?.message).to.match(/kubectl apply --server-side/);
    const [bare] = findingsOf({ type: 'object', enum: [{ size: 'x'.repeat(300_000) }] });
    expect(bare?.message).to.match(/would have \d+ bytes, and at most 262144 may be;/);
  });

  it('names the same bounds beside a rule and beside all rules, of which all together are enough', () => {
    const listed = "self.all(t, t.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$'))";
    const mapped = "self.all(k, self[k].matches('^[0-9]+%$'))";
    const ruled = (rule: string, more: JsonObject): JsonObject => ({
      ...more,
      'x-kubernetes-validations': [{ rule }],
    });
    const definition = exampleOfSpec({
      type: 'object',
      properties: {
        tags: ruled(listed, { type: 'array', items: { type: 'string' } }),
        shares: ruled(mapped, { type: 'object', additionalProperties: { type: 'string' } }),
      },
    });
    const costs = judgedBy(definition).filter(({ rule }) => rule === 'CelCost');
    const named = costs.map(({ message }) => [...message.matchAll(/(max\w+): (\d+) to (\S+?)(?=,|$)/g)]); // prettier-ignore
    expect(named.map((bounds) => bounds.length).sort()).to.deep.equal([2, 2, 4]);
    const bounds = new Map(named.flat().map(([, keyword, most, path]) => [`${keyword} ${path}`, most])); // prettier-ignore
    // One value for each place, wherever it is named, and none that leaves nothing to use.
    expect(new Set(named.flat().map(([text]) => text)).size)
      .to.equal(bounds.size)
      .and.to.equal(4);
    for (const most of bounds.values()) expect(Number(most)).to.be.at.least(64);
    const patched = parseJson(stringifyJson(definition)) as JsonObject;
    for (const { fix } of costs) jsonPatch.applyPatch(patched, (fix ?? []) as Operation[]);
    expect(judgeDefinition(patched, undefined, knownMinors)).to.deep.equal([]);
  });

  it('names unknown fields wherever they are, once for all versions, with the field that is meant', () => {
    const schema = {
      type: 'object',
      properties: {
        size: { type: 'string', minLenght: 3 },
        list: { type: 'array', item: { type: 'string' }, items: { type: 'string', patern: 'a' } },
        map: { type: 'object', additionalProperties: { type: 'object', propertis: {} } },
        // Names and values of users are no fields.
        patern: { type: 'object', default: { item: 1 }, enum: [{ item: 1 }], example: { item: 1 } },
        not: { type: 'string', not: { maxLenght: 1 } },
      },
    };
    const definition = exampleOfSpec(schema) as JsonObject & { spec: { versions: JsonObject[] } };
    const [version] = definition.spec.versions as [JsonObject];
    definition.spec.versions.push({ ...version, name: 'v0', storage: false });
    const document = { ...definition, roleRef: {}, metadata: { ...metaObject, lables: {} } };
    const found = judgedBy(document).filter(({ rule }) => rule === 'UnknownDefinitionField');
    const below = 'spec.versions[0].schema.openAPIV3Schema.properties.spec.properties';
    expect(
      found.map(({ path = '', severity, data }) => [
        path.replace(below, '^'),
        `${severity}${String(data?.['meant'])}${String(data?.['versions'])}`,
      ]),
    ).to.deep.equal(
      (
        [
          ['metadata.lables', 'labels'],
          ['^.size.minLenght', 'minLength'],
          ['^.list.item', 'items'],
          ['^.list.items.patern', 'pattern'],
          ['^.map.additionalProperties.propertis', 'properties'],
          ['^.not.not.maxLenght', 'maxLength'],
          ['roleRef', undefined],
        ] as const
      ).map(([path, meant]) => [
        path,
        `error${meant === undefined ? '' : ` (did you mean "${meant}"?)`}${path.startsWith('^') ? ' (and in 1 more versions)' : ''}`,
      ]),
    );
    // The list has items already, and the other one cannot be meant.
    const fixed = found.filter(({ fix }) => fix !== undefined);
    expect(fixed.map(({ path = '' }) => path.replace(below, '^'))).to.include.members([
      'metadata.lables',
      '^.size.minLenght',
    ]);
    expect(found.find(({ path }) => path?.endsWith('.item'))?.fix).to.equal(undefined);
    const { fix } = found.find(({ path }) => path?.endsWith('minLenght')) ?? {};
    const patched = JSON.parse(JSON.stringify(document)) as JsonObject;
    jsonPatch.applyPatch(patched, fix as Operation[]);
    expect(JSON.stringify(patched).match(/minLength/g)).to.have.lengthOf(2);
  });

  it('offers no renaming that objects of the old definition do not survive', () => {
    const old = exampleOfSpec({ type: 'object', properties: { size: { type: 'string' } } });
    const next = exampleOfSpec({
      type: 'object',
      properties: { size: { type: 'string', minLenght: 3 } },
    });
    const [isNew, isUpdate] = [judgedBy(next), judgedBy(next, old)].map(([finding]) => finding);
    expect(isNew).to.include({ rule: 'UnknownDefinitionField' }).and.to.have.property('fix');
    expect(isUpdate).to.include({ rule: 'UnknownDefinitionField' }).and.to.not.have.property('fix');
  });

  it('warns of a placeholder for a CA that OLD has too, and refuses a new one', () => {
    const converted = (caBundle: string): JsonObject => {
      const example = exampleOfSpec({ type: 'object' });
      const clientConfig = { url: 'https://example.com', caBundle };
      const webhook = { clientConfig, conversionReviewVersions: ['v1'] };
      const conversion = { strategy: 'Webhook', webhook };
      return { ...example, spec: { ...(example['spec'] as JsonObject), conversion } };
    };
    const [template, sound] = [converted('{{caBundle}}'), converted('Cg==')];
    const told = (old: JsonObject): string[] =>
      judgedBy(template, old).map(({ severity, rule, path }) => `${severity} ${rule} ${path}`);
    const place = 'NotDecodable spec.conversion.webhook.clientConfig.caBundle';
    expect(told(template)).to.deep.equal([`warning ${place}`]);
    expect(told(sound)).to.deep.equal([`error ${place}`]);
    expect(judgedBy(sound, template)).to.deep.equal([]);
    const spec = template['spec'] as JsonObject;
    const names = { ...(spec['names'] as JsonObject), kind: 'Other' };
    const renamed = { ...template, spec: { ...spec, names } };
    expect(
      judgedBy(renamed, template).map(({ severity, rule }) => `${severity} ${rule}`),
    ).to.deep.equal(['error DefinitionNames', 'warning NotDecodable']);
  });

  it('names no more unknown fields than a report is worth', () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`x${index}`, 1]));
    const found = judgedBy({ ...exampleOfSpec({ type: 'object' }), ...many });
    expect(found).to.have.lengthOf(101);
    expect(found.at(-1)?.message).to.match(/^and more unknown fields/);
  });

  it('notes a definition that is near the limit of kubectl apply', () => {
    const { annotations } = sizesOf(sized(0));
    const messages = [262_144, 262_144 - 2_047, 262_144 - 2_048].map((bytes) =>
      described(bytes - annotations).map(({ severity, id }) => `${severity} ${id}`),
    );
    expect(messages).to.deep.equal([['info near'], ['info near'], []]);
  });
});
