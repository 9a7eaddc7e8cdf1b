import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { knownMinors } from '../../src/kubernetes/index.js';
import { TextJudge, type JudgedTexts, type Texts } from '../../site/check/judge-texts.js';

const example = (file: string): string =>
  readFileSync(new URL(`../../examples/${file}`, import.meta.url), 'utf8');
const installed = example('cluster/customresourcedefinition-samples.yaml');
const removed = example('upgrades/field-removed.yaml');
const objects = example('objects/samples.yaml');

const judge = (texts: Partial<Texts>, isFixWanted = false): Promise<JudgedTexts> =>
  new TextJudge().judge(
    { old: installed, new: installed, objects: '', profile: 'olm-v1', isStrict: false, ...texts },
    { isFixWanted },
  );

describe('texts side by side', () => {
  it('puts each finding at its line, in the text that it is about', async () => {
    const { verdict, messages } = await judge({ new: removed, objects });
    expect(verdict.kind).to.equal('denied');
    expect(messages.new.map(({ severity, line }) => [severity, line])).to.deep.equal([
      ['error', lineOf(removed, 'spec:', 2)],
    ]);
    expect(messages.objects.map(({ line }) => line)).to.include(lineOf(objects, 'pollInterval'));
    expect(messages.old).to.deep.equal([]);
  });

  it('decides by the policy that is given, and goes on without one that cannot be read', async () => {
    const head = 'apiVersion: olm-guard.io/v1alpha1\nkind: Policy\n';
    const noted = 'promises: [{ versions: ["v*"], mode: audit }]\n';
    const kindOf = async (policy: string): Promise<string> =>
      (await judge({ new: removed, policy })).verdict.kind;
    expect(await kindOf('\n')).to.equal('denied');
    expect(await kindOf(`${head}${noted}`)).not.to.equal('denied');
    expect(await kindOf(`${head}profile: proof\n`)).to.equal('denied');
    const { messages, verdict } = await judge({ policy: `${head}promises: [{ mode: allow }]\n` });
    expect(messages.policy.map(({ line }) => line)).to.deep.equal([3]);
    expect(verdict.word).to.equal('Not everything was checked');
  });

  it('finds what ends the harm, when it is asked to', async () => {
    expect(await judge({ new: removed })).not.to.have.property('details');
    const { details } = await judge({ new: removed }, true);
    const { verdict } = await judge({ new: details?.fix?.text ?? '' });
    expect(verdict.kind).to.equal('allowed');
  });

  it('says which minors take the definition, and what its rules cost', async () => {
    const ruled = installed.replace(
      /( +)(type: object\n)/,
      `$1$2$1x-kubernetes-validations: [{ rule: "isIP('10.0.0.1')" }]\n`,
    );
    const { minors = [], costs = [] } = (await judge({ new: ruled }, true)).details ?? {};
    const of = (refuses: string): string[] =>
      minors.filter((each) => each.refuses === refuses).map(({ minor }) => minor);
    expect(of('update')).to.include('1.29');
    expect(of('nothing')).to.include(knownMinors.at(-1));
    expect(costs[0]).to.have.property('share').above(0).below(1);
  });

  it('says nothing of minors where there is no definition', async () => {
    const { details } = await judge({ new: 'no manifest\n' }, true);
    expect(details).to.include({ fix: undefined }).and.deep.include({ minors: [] });
  });

  for (const [name, texts, side] of [
    ['before', { old: 'a: [1,\n' }, 'old'],
    ['after', { new: 'kind: CustomResourceDefinition\na: [1,\n' }, 'new'],
    ['objects', { objects: 'kind: Sample\na: [1,\n' }, 'objects'],
  ] as const) {
    it(`heads nothing as fine beside a text that cannot be read: ${name}`, async () => {
      const { verdict, messages } = await judge(texts);
      expect(verdict.kind).not.to.equal('allowed');
      expect(messages[side].map(({ severity }) => severity)).to.deep.equal(['error']);
    });
  }

  it('says that there is nothing to judge', async () => {
    const { verdict, page } = await judge({ old: '', new: '' });
    expect(verdict.kind).not.to.equal('allowed');
    expect(page).to.include('there is no CustomResourceDefinition to judge');
  });

  it('marks no more lines than a browser shows, the worst of them', async () => {
    const fields = (type: string): string =>
      Array.from(
        { length: 700 },
        (_, index) => `\n${' '.repeat(18)}f${index}: { type: ${type} }`,
      ).join('');
    const withFields = (type: string): string =>
      installed.replace(
        /^( {16}pollInterval:)/m,
        `${fields(type)
          .slice(1)
          .replaceAll(/^ {18}/gm, ' '.repeat(16))}\n$1`,
      );
    const { messages } = await judge({ old: withFields('string'), new: withFields('integer') });
    expect(messages.new).to.have.lengthOf(501);
    expect(messages.new[0]?.message).to.match(/^\d+ more are not marked here$/);
    expect(messages.new[1]?.severity).to.equal('error');
  });
});

/** From 1; the line of the nth that has the text. */
function lineOf(text: string, wanted: string, nth = 1): number {
  const lines = text
    .split('\n')
    .flatMap((line, index) => (line.includes(wanted) ? [index + 1] : []));
  return lines[nth - 1] ?? 0;
}
