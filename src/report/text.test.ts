import { expect } from 'chai';
import { codeFrames } from './code-frame.js';
import { docsFor, type Finding } from '../rule/finding.js';
import type { CheckReport } from './check-report.js';
import { render } from './render.js';
import { renderText } from './text.js';

const finding = (more: Partial<Finding>): Finding => ({
  rule: 'ChangeValidator',
  family: 'crd-upgrade-safety',
  severity: 'error',
  message: 'a\nb',
  docs: docsFor('ChangeValidator'),
  ...more,
});
const witness = { kind: 'Widget', spec: { size: 1 } };
const document = { text: 'kind: A\nspec:\n  size: 1\nend: 2\n', line: 10 };
const shown = { effect: 'breaking', witness, proof: 'the minimum is new' } as const;
const report: CheckReport = {
  subject: 'Things',
  counts: { allowed: 1, denied: 1, otherDocuments: 2 },
  results: [
    {
      name: 'quiet',
      verdict: { allowed: true, findings: [], warnings: [] },
      output: {},
      places: [],
    },
    {
      name: 'loud',
      verdict: {
        allowed: false,
        findings: [
          finding({ version: 'v1', path: '^.size', ...shown }),
          finding({ version: 'v1', path: '^.color', effect: 'safe', proof: 'description only' }),
          finding({ version: 'v1', path: '^.size', ...shown, message: 'c' }),
          finding({ rule: 'Proof', severity: 'warning', effect: 'undecided', message: 'd' }),
          finding({ version: 'v2', path: '^.size', effect: 'breaking', witness, message: 'e' }),
        ],
        warnings: ['careful'],
      },
      output: {},
      places: [{ file: 'new.yaml', line: 12, column: 3 }],
      notes: [{ frame: codeFrames(document)(12) }, {}, { frame: codeFrames(document)(12) }],
    },
  ],
};

describe('text report', () => {
  it('names findings of one place and effect in one block, with one object', () => {
    const [other, stored] = [
      { kind: 'Widget', spec: { size: 2 } },
      { create: 'refused', update: 'refused' },
    ] as const;
    const both = [
      finding({ path: '^.size', ...shown, stored }),
      finding({ path: '^.size', ...shown, stored, witness: other, proof: 'the rule is new' }),
    ];
    const verdict = { allowed: false, findings: both, warnings: [] };
    const text = renderText({
      ...report,
      results: [{ name: 'one', verdict, output: {}, places: [] }],
    });
    expect(text.split('stored: ')).to.have.length(2);
    expect(text).to.include(`      proof: breaks objects:
        ChangeValidator: the minimum is new
        ChangeValidator: the rule is new
      an object that shows ChangeValidator:
        kind: Widget
        spec:
          size: 1
`);
    expect(text).to.not.include('size: 2');
  });

  it('prints what is denied first and a page at most, and says what was left out', async () => {
    const result = (name: string, allowed: boolean): CheckReport['results'][number] => ({
      name,
      verdict: {
        allowed,
        findings: Array.from({ length: 10 }, (_, index) =>
          finding({ version: 'v1', path: `^.f${index}`, message: `m${index}` }),
        ),
        warnings: [],
      },
      output: {},
      places: [],
    });
    const denied = Array.from({ length: 30 }, (_, index) => `v${index}`);
    const many: CheckReport = {
      subject: 'Things',
      counts: { denied: 30 },
      results: [
        ...['a', 'b', 'c', 'd'].map((name) => result(name, true)),
        ...denied.map((name) => result(name, false)),
      ],
    };
    const text = await render(many, 'text');
    const lines = text.split('\n');
    expect(lines.length).to.be.within(100, 121);
    expect(lines.slice(0, 3)).to.deep.equal(['Things: 30 denied', '', 'v0: denied']);
    expect(text).to.match(/^denied too: [\s\S]*v29$/m);
    expect(text).to.match(/^and \d+ more lines: -o json has them all$/m);
    const all = await render(many, 'text', { isAllListed: true });
    expect(all.split('\n').length).to.be.above(250);
    expect(all).not.to.contain('more lines');
  });

  it('shows why each is denied where not all fits, and only counts the warnings of these', async () => {
    const result = (name: string, warned: number): CheckReport['results'][number] => ({
      name,
      verdict: {
        allowed: false,
        findings: Array.from({ length: warned + 1 }, (_, index) =>
          finding({
            version: 'v1',
            path: `^.f${index}`,
            message: `${index === 0 ? `cause of ${name}` : `m${index}`}`,
            severity: index === 0 ? 'error' : 'warning',
            effect: 'breaking',
            witness: Array.from({ length: name === 'w' ? 60 : 5 }, (_x, line) => ({
              [line]: index,
            })),
          }),
        ),
        warnings: [],
      },
      output: {},
      places: [],
    });
    const results = [result('u', 15), result('v', 15), result('w', 15), result('x', 1)];
    const text = await render({ subject: 'Things', counts: { denied: 4 }, results }, 'text');
    expect([...text.matchAll(/cause of (.)/g)].map(([, name]) => name)).to.deep.equal([
      ...['u', 'v', 'w', 'x'],
    ]);
    expect(text).to.include('  and 15 more places with 15 findings: -o json has them all\n');
    expect(text).not.to.match(/denied too|m15/);
    expect(text.split('\n').length).to.be.below(121);
  });

  it('prints the whole report', () => {
    expect(renderText(report)).to.equal(`loud: denied
  v1 ^.size
    new.yaml:12:3  error  ChangeValidator
      a
      b
    error  ChangeValidator
      c
      11 | spec:
    > 12 |   size: 1
      13 | end: 2
      proof: breaks objects: the minimum is new; an object that shows it:
        kind: Widget
        spec:
          size: 1
  v2 ^.size
    error  ChangeValidator
      e
      proof: breaks objects; the object above shows it
  v1 ^.color
    error  ChangeValidator
      a
      b
      proof: breaks no object: description only
    warning  Proof
      d
  warning: careful

Things: 1 allowed, 1 denied, 2 other documents
`);
  });

  it('prints once what many paths share', () => {
    const paths = ['^.a', '^.b', '^.c'];
    const findings = paths.map((path) => finding({ version: 'v1', path, message: `"${path}": m` }));
    const places = [
      { file: 'n', line: 1 },
      { file: 'n', line: 2 },
      { file: 'o', line: 3 },
    ];
    const verdict = { allowed: false, findings, warnings: [] };
    const results = [{ name: 'loud', verdict, output: {}, places }];
    expect(renderText({ subject: 'Things', counts: { denied: 1 }, results })).to.equal(`loud: denied
  v1 ^.a
    n:1  error  ChangeValidator
      "^.a": m
      and the same at 2 more places:
        v1 ^.b  line 2
        v1 ^.c  o:3

Things: 1 denied
`);
  });

  /** One result that says these. */
  const said = (findings: readonly Finding[]): string => {
    const verdict = { allowed: false, findings, warnings: [] };
    return renderText({
      subject: 'Things',
      counts: {},
      results: [{ name: 'loud', verdict, output: {}, places: [] }],
    });
  };

  it('tells what denies and does harm first, whatever the order of the rules', () => {
    const rows: [path: string, Partial<Finding>][] = [
      ['^.note', { severity: 'info', effect: 'behavior' }],
      ['^.safe', { effect: 'safe' }],
      ['^.careful', { severity: 'warning', effect: 'breaking' }],
      ['^.lost', { effect: 'data-loss' }],
      ['^.broken', { effect: 'breaking' }],
    ];
    const text = said(rows.map(([path, more]) => finding({ version: 'v1', path, ...more })));
    expect([...text.matchAll(/^ {2}v1 (\S+)/gm)].map(([, path]) => path)).to.deep.equal([
      '^.broken',
      '^.lost',
      '^.safe',
      '^.careful',
      '^.note',
    ]);
  });

  it('ends where nobody reads on, and counts what is left', () => {
    const numbers = Array.from({ length: 25 }, (_, index) => index);
    const unlike = said(
      numbers.map((index) => finding({ version: 'v1', path: `^.f${index}`, message: `m${index}` })),
    );
    expect(unlike).to.include(
      '      m19\n  and 5 more places with 5 findings: -o json has them all\n',
    );
    expect(unlike).not.to.include('m20');
    const alike = said(numbers.map((index) => finding({ version: 'v1', path: `^.f${index}` })));
    expect(alike).to.include('and the same at 24 more places:\n        v1 ^.f1  \n');
    expect(alike).to.include('        v1 ^.f10  \n        and 14 more: -o json has them all\n');
  });

  it('names the object where a finding is about another than the one that is judged', () => {
    const about = (name: string): Finding =>
      finding({ version: 'v1', path: '^.a', object: { apiVersion: 'v1', kind: 'K', name } });
    const text = said([about('loud'), about('one.example.com'), about('two.example.com')]);
    expect(text.match(/^ {2}\S.*\^\.a$/gm)).to.deep.equal([
      '  v1 ^.a',
      '  K one.example.com v1 ^.a',
      '  K two.example.com v1 ^.a',
    ]);
  });

  it('tells a long text, list or row of keys of an object by its length', () => {
    const list = Array.from({ length: 101 }, (_, index) => ({ id: index }));
    const map = Object.fromEntries(list.map(({ id }) => [`key${id}`, id]));
    const long = { spec: { name: 'a'.repeat(254), short: 'b'.repeat(100), list, map } };
    const text = said([
      finding({ version: 'v1', path: '^.spec.name', effect: 'breaking', witness: long }),
    ]);
    expect(text).to.include(`name: ${'a'.repeat(25)}… (254 characters)\n`);
    expect(text).to.include(`short: ${'b'.repeat(100)}\n`);
    expect(text).to.include('- id: 2\n            - … (101 items)\n').and.not.include('id: 3');
    expect(text).to.include('key2: 2\n            …: (98 more keys)\n').and.not.include('key3');
  });

  it('abridges what was not checked for one reason, in comments and annotations too', async () => {
    const remote = (name: string): string =>
      `apps/${name}/kustomization.yaml: refers to https://example.com/${name}?ref=1, which is not fetched; nothing of it was judged`;
    const charts = ['a', 'b', 'c', 'd'].map(
      (name) => `apps/${name}: helm cannot render it: its dependencies (${name}) are missing`,
    );
    const remotes = ['a', 'b', 'c', 'd', 'e', 'f'].map(remote);
    const values = ['a', 'b', 'c', 'd', 'e'].map(
      (name) => `apps/x.yaml:1: Widget ${name} spec.size: not judged: it holds a variable`,
    );
    const unchecked = [...charts.slice(0, 2), ...remotes, ...charts.slice(2), ...values];
    const told = { subject: 'Objects', counts: {}, results: [], unchecked };
    const more = (number: number): string => `${number} more like these: -o json has them all`;
    const shown = [...charts, ...remotes.slice(0, 3), more(3), ...values.slice(0, 3), more(2)];
    expect(renderText(told).match(/(?<=^unchecked: ).*$/gm)).to.deep.equal(shown);
    expect(
      (await render(told, 'github')).match(/(?<=::warning title=unchecked::).*$/gm),
    ).to.deep.equal(shown);
    expect(await render(told, 'markdown')).to.include(`\n- ${more(3)}\n- ${values[0]}\n`);
    expect(JSON.parse(await render(told, 'json'))).to.deep.include({ unchecked });
  });

  it('is colored only on request', () => {
    const escape = String.fromCharCode(27);
    expect(renderText(report)).not.to.include(escape);
    const coloured = renderText(report, { colours: true });
    expect(coloured).to.include(`${escape}[31mdenied`);
    expect(coloured.replaceAll(new RegExp(`${escape}\\[\\d+m`, 'g'), '')).to.equal(
      renderText(report),
    );
  });

  for (const [row, line, first] of [
    ['the first line', 10, 10],
    ['a line between', 12, 11],
  ] as const) {
    it(`frames ${row}`, () => expect(codeFrames(document)(line)).to.include({ first, line }));
  }

  it('frames nothing where there is no text', () => {
    expect(codeFrames({ text: '', line: 1 })(1)).to.equal(undefined);
    expect(codeFrames(document)(99)).to.equal(undefined);
  });
});
