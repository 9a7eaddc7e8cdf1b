/** Every format for CI against a file that a person can open, and against what its reader demands. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { expect } from 'chai';
import { docsFor, type Finding, type Verdict } from '../rule/finding.js';
import { ruleNamed } from '../policy/rules/registry.js';
import { version } from '../text/package.js';
import type { CheckReport } from './check-report.js';
import { render } from './render.js';

const testdata = join(import.meta.dirname, 'testdata');

function finding(more: Partial<Finding> = {}): Finding {
  const rule = more.rule ?? 'NoExistingFieldRemoved';
  return {
    rule,
    family: 'crd-upgrade-safety',
    severity: 'error',
    message: 'may not be removed',
    docs: docsFor(rule),
    ...more,
  };
}

function verdict(more: Partial<Verdict> = {}): Verdict {
  return { allowed: true, findings: [], warnings: [], ...more };
}

/** One of each: denied with and without a place, warned, switched off, nothing to say. */
const report: CheckReport = {
  subject: 'CustomResourceDefinitions',
  counts: { allowed: 3, denied: 1, otherDocuments: 2 },
  results: [
    {
      name: 'quiet.example.com',
      verdict: verdict(),
      output: {},
      places: [],
    },
    {
      name: 'warned.example.com',
      verdict: verdict({
        findings: [
          finding({ rule: 'ChangeValidator', severity: 'warning', message: 'one\ntwo: <three>' }),
        ],
        warnings: ['is only in 50% of "old", & @nobody knows | why'],
      }),
      output: {},
      places: [{ file: '-', line: 3 }],
    },
    {
      name: 'denied.example.com',
      verdict: verdict({
        allowed: false,
        findings: [
          finding({ version: 'v1', path: '^.spec.size', cause: 'NoExistingFieldRemoved v1 size' }),
          finding({ rule: 'NoScopeChange', message: 'scope, changed: 100%' }),
          finding({ severity: 'info', message: 'control \u0007 character' }),
        ],
      }),
      output: {},
      places: [
        { file: './deploy/a b,c.yaml', line: 12, column: 5 },
        { file: 'git:HEAD~1:crds/old.yaml', line: 7 },
        { file: 'cluster:denied.example.com' },
      ],
    },
    {
      name: 'off.example.com',
      verdict: verdict({
        findings: [finding({ severity: 'warning' })],
        bypassedBy: 'annotation "olm-guard.io/disable" on CustomResourceDefinition "off"',
      }),
      output: {},
      places: [{ file: '/abs/new.json', line: 1, column: 1 }],
    },
  ],
};

describe('reports for CI', () => {
  const golden: [format: string, file: string][] = [
    ['sarif', 'report.sarif.json'],
    ['junit', 'report.junit.xml'],
    ['github', 'report.github.txt'],
    ['markdown', 'report.md'],
  ];
  for (const [format, name] of golden) {
    it(`${format} is as in testdata/${name}`, async () => {
      const file = join(testdata, name);
      const text = (await render(report, format)).replaceAll(version, 'X.Y.Z');
      expect(text).to.equal(readFileSync(file, 'utf8'));
    });
  }

  it('sarif fits the schema of SARIF 2.1.0', async () => {
    const file = '@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json';
    const text = readFileSync(createRequire(import.meta.url).resolve(file), 'utf8');
    // It is of an earlier draft, and says nothing that the later one reads otherwise.
    const schema = { ...(JSON.parse(text) as object), $schema: undefined, id: undefined };
    const options = { strict: false, validateFormats: false, unicodeRegExp: false };
    const validate = new Ajv(options).compile(schema);
    const log: unknown = JSON.parse(await render(report, 'sarif'));
    expect(validate(log), JSON.stringify(validate.errors)).to.equal(true);
    expect(validate({ version: '2.1.0', runs: [{ tool: {} }] })).to.equal(false);
  });

  it('sarif explains each rule in the registry’s words, and changes by their own names', async () => {
    const changed = finding({
      ...{ rule: 'ChangeValidator', version: 'v1', path: '^.spec.size' },
      cause: 'ChangeValidator v1 ^.spec.size minimum: constraint increased from 1 to 2',
    });
    const [before, after] = await Promise.all(
      [7, 8].map((line) => {
        const result = { name: 'one', verdict: verdict({ findings: [changed] }), output: {} };
        const places = [{ file: 'crd.yaml', line }];
        return render({ subject: '', counts: {}, results: [{ ...result, places }] }, 'sarif');
      }),
    );
    interface Log {
      runs: {
        tool: { driver: { rules: Record<string, { text: string }>[] } };
        results: { ruleId: string; partialFingerprints: object }[];
      }[];
    }
    const [log, moved] = [before, after].map((each) => JSON.parse(each ?? '') as Log);
    const run = log?.runs[0];
    expect(run?.results[0]?.ruleId).to.equal('ChangeValidator/MinimumRaised');
    expect(run?.tool.driver.rules[0]).to.include({ name: 'MinimumRaised' });
    expect(run?.tool.driver.rules[0]?.['help']?.text).to.include(ruleNamed('minimum')?.instead);
    expect(run?.tool.driver.rules[0]?.['helpUri']).to.match(
      /^https:.*docs\/rules\/ChangeValidator\.md$/,
    );
    const result = {
      name: 'one',
      verdict: verdict({ findings: [changed] }),
      output: {},
      places: [],
    };
    const junit = await render({ subject: '', counts: {}, results: [result] }, 'junit');
    expect(junit).to.match(/ ChangeValidator\/MinimumRaised v1 /);
    // A line that moves is the same finding.
    expect(moved?.runs[0]?.results[0]?.partialFingerprints).to.deep.equal(
      run?.results[0]?.partialFingerprints,
    );
  });

  it('sarif names each rule once, by the index that its results carry', async () => {
    const { runs } = JSON.parse(await render(report, 'sarif')) as {
      runs: {
        tool: { driver: { rules: { id: string }[] } };
        results: { ruleId: string; ruleIndex: number }[];
      }[];
    };
    const rules = runs[0]?.tool.driver.rules.map(({ id }) => id) ?? [];
    expect(new Set(rules).size).to.equal(rules.length);
    for (const { ruleId, ruleIndex } of runs[0]?.results ?? []) {
      expect(rules[ruleIndex]).to.equal(ruleId);
    }
  });

  it('github writes one command per line, whatever the message holds', async () => {
    for (const line of (await render(report, 'github')).trimEnd().split('\n')) {
      expect(line).to.match(/^::(?:error|warning|notice) [^\r\n]*::[^\r\n]+$/);
    }
  });

  it('markdown stays below what a comment may hold, and keeps the denials', async () => {
    const many = Array.from({ length: 1500 }, (_, index) =>
      finding({ path: `^.spec.f${index}`, message: `reason ${index}` }),
    );
    const place = { file: 'a.yaml', line: 1 };
    const result = (name: string, allowed: boolean) => ({
      name,
      verdict: verdict({ allowed, findings: many }),
      output: {},
      places: many.map(() => place),
    });
    const text = await render(
      { subject: 'x', counts: {}, results: [result('a', true), result('b', false)] },
      'markdown',
    );
    expect(text.length).to.be.below(65_536);
    expect(text)
      .to.include('#### b: denied')
      .and.to.match(/and \d+ more lines/);
    expect(text).not.to.include('#### a: allowed');
  });

  describe('say what the proof knows, and the way out', () => {
    const crd = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' };
    const paths = ['^.a', '^.b', '^.c', '^.d', '^.e', '^.f', '^.g'];
    const findings = paths.map((path) =>
      finding({
        version: 'v1',
        path,
        effect: 'data-loss',
        proof: 'values lost',
        object: { ...crd, name: 'cats.pets' },
      }),
    );
    const text = (format: string): Promise<string> =>
      render(
        {
          subject: 'Bundle',
          counts: {},
          results: [
            {
              name: 'cats.v1.1.0',
              verdict: verdict({ allowed: false, findings }),
              output: {},
              places: findings.map(() => ({ file: 'crd.yaml', line: 3 })),
              notes: findings.map(() => ({ fix: 'restore it' })),
            },
          ],
        },
        format,
      );
    const rows: [format: string, part: string][] = [
      [
        'github',
        ':cats.v1.1.0 cats.pets v1 ^.a: may not be removed%0Aproof: loses data: values lost%0Afix: restore it\n',
      ],
      [
        'junit',
        'NoExistingFieldRemoved cats.pets v1 ^.a: may not be removed\n  proof: loses data: values lost\n  fix: restore it\n',
      ],
      ['sarif', '"text": "may not be removed\\nproof: loses data: values lost\\nfix: restore it"'],
      ['sarif', '"fullyQualifiedName": "cats.v1.1.0 cats.pets v1 ^.a"'],
      ['markdown', '| may not be removed<br>proof: loses data: values lost<br>fix: restore it |'],
      ['markdown', 'cats.pets v1 ^.e<br>crd.yaml:3<br>and 2 more |'],
    ];
    for (const [format, part] of rows) {
      it(`${format}: ${JSON.stringify(part).slice(0, 60)}`, async () =>
        expect(await text(format)).to.include(part));
    }
  });

  it('every format says what becomes of updates, and shows no object of what harms nobody', async () => {
    const shown = { kind: 'Widget', spec: { size: 'made-up' } };
    const of = (more: Partial<Finding>): CheckReport => {
      const findings = [finding({ path: '^.spec.size', audience: 'objects', ...more })];
      const result = { name: 'widgets.example.com', verdict: verdict({ findings }), output: {} };
      return { subject: 'Things', counts: {}, results: [{ ...result, places: [] }] };
    };
    const breaking = { effect: 'breaking', witness: shown } as const;
    const refused = { create: 'refused', update: 'refused' } as const;
    const written = ['text', 'sarif', 'html', 'junit', 'github', 'markdown'] as const;
    for (const format of written) {
      const stuck = await render(of({ ...breaking, stored: refused }), format);
      expect(stuck, format).to.match(/stored: stuck: no update of a stored object is accepted/i);
      const answers = { create: 'refused', update: 'ratcheted', place: 'spec.size' } as const;
      const updatable = { stored: answers, storedFrom: '1.30' };
      expect(await render(of({ ...breaking, ...updatable }), format), format).to.match(
        /stored: refused on create or restore; stored objects can still be updated as long as spec\.size stays as it is \(Kubernetes 1\.30 and later\)/i,
      );
      expect(await render(of(breaking), format), format).not.to.match(/stored: /i);
    }
    const told = JSON.parse(await render(of({ ...breaking, stored: refused }), 'json')) as {
      results: { verdict: Verdict }[];
    };
    expect(told.results[0]?.verdict.findings[0]).to.deep.include({ stored: refused });
    for (const format of ['text', 'html'] as const) {
      const readers = { audience: 'readers', witness: shown } as const;
      expect(await render(of({ ...readers, severity: 'warning' }), format)).to.include('made-up');
      expect(await render(of({ ...readers, severity: 'info' }), format)).not.to.include('made-up');
    }
  });
});
