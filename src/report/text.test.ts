import { expect } from 'chai';
import { codeFrame } from './code-frame.js';
import { docsFor, type Finding } from '../finding.js';
import type { CheckReport } from './check-report.js';
import { renderText } from './text.js';

const finding = (more: Partial<Finding>): Finding => ({
  rule: 'ChangeValidator',
  severity: 'error',
  message: 'a\nb',
  docs: docsFor('ChangeValidator'),
  ...more,
});
const witness = { kind: 'Widget', spec: { size: 1 } };
const document = { text: 'kind: A\nspec:\n  size: 1\nend: 2\n', line: 10 };
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
          finding({ version: 'v1', path: '^.size', effect: 'breaking', witness }),
          finding({ version: 'v1', path: '^.color', effect: 'safe' }),
          finding({ version: 'v1', path: '^.size', effect: 'breaking', witness, message: 'c' }),
          finding({ rule: 'Proof', severity: 'warning', effect: 'undecided', message: 'd' }),
          finding({ version: 'v2', path: '^.size', effect: 'breaking', witness, message: 'e' }),
        ],
        warnings: ['careful'],
      },
      output: {},
      places: [{ file: 'new.yaml', line: 12, column: 3 }],
      notes: [
        { proof: 'the minimum is new', frame: codeFrame(document, 12) },
        { proof: 'description only' },
        { proof: 'the minimum is new', frame: codeFrame(document, 12) },
      ],
    },
  ],
};

describe('text report', () => {
  it('reads like a page', () => {
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
  v1 ^.color
    error  ChangeValidator
      a
      b
      proof: breaks no object: description only
    warning  Proof
      d
  v2 ^.size
    error  ChangeValidator
      e
      proof: breaks objects; the object above shows it
  warning: careful

Things: 1 allowed, 1 denied, 2 other documents
`);
  });

  it('tells once what many paths share', () => {
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
      and the same at 2 more paths:
        ^.b  line 2
        ^.c  o:3

Things: 1 denied
`);
  });

  it('is coloured only when asked', () => {
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
    it(`frames ${row}`, () => expect(codeFrame(document, line)).to.include({ first, line }));
  }

  it('frames nothing where there is no text', () => {
    expect(codeFrame({ text: '', line: 1 }, 1)).to.equal(undefined);
    expect(codeFrame(document, 99)).to.equal(undefined);
  });
});
