/** What the library says beyond operations: rules explained, and fixes as patches and as edits of a text. */
import { expect } from 'chai';
import jsonPatch, { type Operation } from 'fast-json-patch';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { upgradeRules } from '../../upgrade/index.js';
import { namesOf } from '../../rule/index.js';
import { parseDocuments, stringifyJson } from '../../text/documents/index.js';
import { explainRule, fixUpgrade, proveUpgrade } from './upgrades.js';

const examples = join(import.meta.dirname, '..', '..', '..', 'examples');
const textOf = (...path: string[]): string => readFileSync(join(examples, ...path), 'utf8');
const read = (text: string): object => parseDocuments(text)[0]?.value as object;
const old = read(textOf('cluster', 'customresourcedefinition-samples.yaml'));

const harmOf = (next: object): string[] =>
  (proveUpgrade(old, next).verdict?.findings ?? [])
    .filter(({ effect }) => effect === 'breaking' || effect === 'data-loss')
    .map(({ message }) => message);

describe('fixUpgrade', () => {
  const upgrades = readdirSync(join(examples, 'upgrades'));
  const harmful = upgrades.filter((file) => harmOf(read(textOf('upgrades', file))).length > 0);

  it('has several examples that do harm', () => {
    expect(harmful).to.include('field-removed.yaml').and.have.length.above(2);
  });

  for (const file of harmful) {
    it(`ends the harm of ${file}, or says what is left, by a patch and by an edit of its text`, () => {
      const text = textOf('upgrades', file);
      const next = read(text);
      const before = harmOf(next);
      const { patch = [], changes = [], left = [], edit, error } = fixUpgrade(old, text);
      expect(error).to.equal(undefined);
      const patched = jsonPatch.applyPatch(
        structuredClone(next),
        [...patch] as Operation[],
        true,
      ).newDocument;
      expect(harmOf(patched)).to.have.length(left.length);
      expect(left.length).to.be.below(before.length);
      expect(changes.length).to.be.above(0);
      const { offset = 0, length = 0 } = edit ?? {};
      const edited = text.slice(0, offset) + (edit?.text ?? '') + text.slice(offset + length);
      expect(read(edited)).to.deep.equal(patched);
      expect(fixUpgrade(old, next)).to.deep.equal({ patch, changes, left, edit: undefined });
    });
  }

  it('edits JSON too', () => {
    const text = stringifyJson(read(textOf('upgrades', 'field-removed.yaml')), 2);
    const { edit, patch } = fixUpgrade(old, text);
    expect(patch).not.to.be.empty;
    expect(edit?.offset).to.be.above(0);
  });

  it('changes nothing where nothing breaks', () => {
    expect(fixUpgrade(old, old)).to.deep.equal({
      patch: [],
      changes: [],
      left: [],
      edit: undefined,
    });
  });

  for (const [what, next, message] of [
    ['two documents', 'a: 1\n---\nb: 2\n', /must be one document/],
    ['no object', '[]', /must be one document/],
    ['no YAML', 'a: [', /./],
    ['no definition', {}, /./],
  ] as const) {
    it(`answers with an error for ${what}`, () => {
      const { error } = fixUpgrade(old, next);
      expect(error?.message).to.match(message);
      expect(error?.code).to.match(/^E_/);
    });
  }
});

describe('explainRule', () => {
  it('knows every rule about definitions, by each of its names', () => {
    for (const rule of upgradeRules) {
      for (const name of namesOf(rule)) expect(explainRule(name)?.id, name).to.equal(rule.id);
    }
  });

  it('explains each name that findings use', () => {
    for (const file of readdirSync(join(examples, 'upgrades'))) {
      const { verdict } = proveUpgrade(old, read(textOf('upgrades', file)));
      for (const { rule } of verdict?.findings ?? []) {
        expect(explainRule(rule)?.why, rule).to.be.a('string').and.not.equal('');
      }
    }
    expect(explainRule('MinimumRaised')?.checks).to.be.a('string');
  });

  it('has nothing to say of another name', () => {
    expect(explainRule('NoSuchRule')).to.equal(undefined);
  });
});
