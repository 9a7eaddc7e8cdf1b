/** `fix` of findings: a JSON Patch of the new definition that holds what it promises. */
import { expect } from 'chai';
import jsonPatch, { type Operation } from 'fast-json-patch';
import type { Finding } from '../../rule/index.js';
import { isObject, parseJson, stringifyJson, type JsonObject } from '../../text/documents/index.js'; // prettier-ignore
import { exampleOfSpec } from '../../upgrade/rules/crd/example-definition.js';
import { answer } from './answer.js';

function findingsOf(name: string, input: JsonObject): readonly Finding[] {
  const given = answer(name, input);
  if ('error' in given) throw new Error(given.error.message);
  return given.verdict.findings;
}

const copyOf = (value: JsonObject): JsonObject => parseJson(stringifyJson(value)) as JsonObject;

/** Findings with a patch, each with the definition after it. */
function patched(findings: readonly Finding[], next: JsonObject) {
  return findings.flatMap((finding) => {
    if (!Array.isArray(finding.fix)) return [];
    const changed = jsonPatch.applyPatch(copyOf(next), finding.fix as Operation[], true);
    return [{ finding, changed: changed.newDocument }];
  });
}

const sameIn =
  ({ rule, path, message }: Finding) =>
  (other: Finding): boolean =>
    other.rule === rule && other.path === path && other.message === message;

const object = (properties: JsonObject, more: JsonObject = {}): JsonObject =>
  exampleOfSpec({ type: 'object', properties, ...more });
const old = object({
  size: { type: 'integer', minimum: 1 },
  mode: { type: 'string', enum: ['a', 'b'] },
  gone: { type: 'string' },
  nested: { type: 'object', properties: { count: { type: 'integer' } } },
});
const next = object(
  {
    size: { type: 'integer', minimum: 3 },
    mode: { type: 'string', enum: ['a'] },
    nested: { type: 'object', properties: { count: { type: 'string' } }, required: ['count'] },
    added: { type: 'string' },
  },
  { required: ['added'] },
);

describe('patches that operations offer', () => {
  for (const profile of ['olm-v1', 'crdify', 'proof']) {
    it(`end each finding of crd by itself, and bring no other harm: ${profile}`, () => {
      const before = findingsOf('crd', { old, new: next, profile });
      const offers = patched(before, next);
      expect(offers.length).to.be.above(2);
      for (const { finding, changed } of offers) {
        const after = findingsOf('crd', { old, new: changed, profile });
        const what = `${finding.rule} ${finding.path ?? ''} ${finding.message}`;
        const harm = after.filter(({ effect }) => effect === 'breaking' || effect === 'data-loss');
        expect(harm.some(sameIn(finding)), what).to.equal(false);
        for (const each of harm) expect(before.some(sameIn(each)), what).to.equal(true);
      }
    });
  }

  it('are not looked for where nobody wants them, or nobody waits any more', () => {
    const told = findingsOf('crd', { old, new: next, fixes: false });
    expect(patched(told, next)).to.have.length(0);
    const late = answer('crd', { old, new: next }, { isOver: () => true });
    expect('verdict' in late && patched(late.verdict.findings, next)).to.deep.equal([]);
  });

  const ports = (more: JsonObject): JsonObject =>
    object({
      ports: {
        type: 'array',
        items: { type: 'string' },
        'x-kubernetes-validations': [{ rule: 'self.all(x, self.exists(y, y.startsWith(x)))' }],
        ...more,
      },
    });
  const costly = ports({});

  it('end what API servers refuse, as definition says', () => {
    const [offer] = patched(findingsOf('definition', { new: costly }), costly);
    expect(offer?.finding.rule).to.equal('CelCost');
    const after = findingsOf('definition', { new: offer?.changed ?? {} });
    const refused = after.filter(({ severity }) => severity !== 'info').map(({ path }) => path);
    expect(refused).to.not.include(offer?.finding.path);
  });

  it('are not offered where an object would break by them', () => {
    const stored = ports({ 'x-kubernetes-validations': [{ rule: 'true' }] });
    const update = { old: stored, new: costly };
    const refused = findingsOf('definition', update).filter(({ rule }) => rule === 'CelCost');
    expect(refused.length).to.be.above(0);
    expect(patched(refused, costly)).to.have.length(0);
  });

  it('end findings about the definitions of a bundle', () => {
    const files = (definition: JsonObject): JsonObject => ({
      'manifests/crd.yaml': stringifyJson(definition),
    });
    const input = { against: files(old), files: files(next) };
    const offers = patched(findingsOf('bundle', input), next);
    expect(offers.length).to.be.above(2);
    for (const { finding, changed } of offers) {
      const after = findingsOf('bundle', { ...input, files: files(changed) });
      const harm = after.filter(({ effect }) => effect === 'breaking' || effect === 'data-loss');
      expect(harm.some(sameIn(finding)), finding.message).to.equal(false);
      expect(isObject(finding.object ?? {}) && finding.object?.name).to.be.a('string');
    }
  });
});
