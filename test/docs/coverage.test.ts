/** Every statement of the documents has a rule, operation or command that exists, and a test that exists. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { coverageRows } from '../../build/coverage.js';
import { operations } from '../../src/checks/operations/table.js';
import { ruleNames } from '../../src/checks/operations/rules.js';
import { documentedChanges } from '../golden/documented-changes.js';

const root = join(import.meta.dirname, '..', '..');

describe('docs/coverage.md', () => {
  const judged = coverageRows.filter(({ notJudged }) => notJudged === undefined);

  it('has a row for each statement', () => {
    expect(coverageRows).to.have.lengthOf(259);
    expect(coverageRows.length - judged.length).to.be.lessThan(10);
  });

  it('names of each row its document and section, what it says, what answers, where, and the test', () => {
    for (const row of coverageRows) {
      const { document, section, says, notJudged, by, door, test } = row;
      for (const text of [document, section, says]) expect(text, says).to.match(/\S/);
      if (notJudged === undefined) {
        for (const text of [by, door, test?.file, test?.name]) expect(text, says).to.match(/\S/);
      } else {
        expect(notJudged, says).to.match(/\S/);
        expect(row, says).to.have.all.keys('document', 'section', 'says', 'notJudged');
      }
    }
    const keys = coverageRows.map(({ document, section, says }) =>
      [document, section, says].join(),
    );
    expect(new Set(keys).size).to.equal(keys.length);
  });

  it('names doors that there are', () => {
    const doors =
      /^(?:webhook on an API server \((?:base|overlays\/documented)\)|sidecar|probes|NDJSON|HTTP|\/metrics(?: of `serve`)?|manifests|API server|files|commands?|npm test|every command with `--kubeconfig`|`scan`|also with `--state`|`(?:check (?:crd|bundle|operatorgroup(?: --explain)?)|resolve(?: --semantics documents)?|catalog(?: (?:validate|diff|list|show|path(?: --precedence documents)?))?|range|explain)`)$/;
    const unknown = judged.flatMap(({ door = '' }) =>
      door.split(', ').filter((each) => !doors.test(each)),
    );
    expect(unknown).to.deep.equal([]);
  });

  it('names a test of each row that is there', () => {
    // Titles that are put together from a keyword and what happens to it.
    const texts = new Map([
      [
        'test/golden/documented-changes.ts',
        documentedChanges.map(({ says }) => `says: '${says}'`).join('\n'),
      ],
    ]);
    const read = (file: string): string => {
      const path = join(root, file);
      // What a test imports is no title of a test.
      const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
      if (!texts.has(file)) texts.set(file, text.replace(/^import [^;]*;$/gm, ''));
      return texts.get(file) ?? '';
    };
    const gone = judged
      .filter(({ test, gate = test }) =>
        [test, gate].some((each) => each === undefined || !read(each.file).includes(each.name)),
      )
      .map(({ section, says }) => `${section}: ${says}`);
    expect(gone).to.deep.equal([]);
  });

  it('names a single test, not a whole suite', () => {
    const texts = new Map(
      judged.flatMap(({ test }) =>
        test === undefined
          ? []
          : [[test.file, readFileSync(join(root, test.file), 'utf8')] as const],
      ),
    );
    const shared = new Map<string, string[]>();
    const suites = judged.filter(({ says, test }) => {
      if (test === undefined) return true;
      const key = `${test.file}: ${test.name}`;
      shared.set(key, [...(shared.get(key) ?? []), says]);
      return (
        /^describe|\$\{/.test(test.name) || texts.get(test.file)?.includes(`describe('${test.name}`)
      );
    });
    expect(suites.map(({ says }) => says)).to.deep.equal([]);
    expect([...shared].filter(([, rows]) => rows.length > 3)).to.deep.equal([]);
  });

  it('names a test by its title, not by what stands in its code', () => {
    const identifiers = judged.filter(({ test }) => /^[a-z]+[A-Z]\w*$/.test(test?.name ?? ''));
    expect(identifiers.map(({ test }) => test?.name)).to.deep.equal([]);
  });

  it('says of no row that it works in part, or not', () => {
    const page = readFileSync(join(root, 'docs', 'coverage.md'), 'utf8');
    expect(page.match(/.*\b(?:partly|wrong|missing|todo)\b.*/gi)).to.equal(null);
  });

  it('names a test at an API server, a command or the NDJSON door for what is asked there', () => {
    const doors = [
      [/webhook/, /^(?:test\/(?:cluster|server)\/|src\/doors\/admission\/)/],
      [/`check crd`/, /^test\/cli\/check-crd\.test\.ts$/],
      [/`check bundle`/, /^(?:test\/cli\/check-bundle|src\/rules\/bundle\/)/],
      [/`scan`/, /^test\/cli\/scan/],
      [/`resolve`/, /^test\/cli\/resolve/],
      [/NDJSON/, /^test\/(?:golden|cli\/preflight)/],
      [/`catalog (?:validate|diff|path|list|show)`/, /^test\/cli\/catalog/],
    ] as const;
    const tests = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
      .map((file) => `test/${file}`)
      .filter((file) => file.endsWith('.test.ts'));
    const walkers = new Map(
      ['documented-changes', 'documented-rows', 'olm-rule-rows', 'catalog-rule-rows'].map(
        (table) => [
          table,
          tests.filter((file) => readFileSync(join(root, file), 'utf8').includes(`/${table}.js'`)),
        ],
      ),
    );
    const untested = judged.flatMap(({ says, door = '', test }) => {
      const table = [...walkers.keys()].find((name) => test?.file.endsWith(`/${name}.ts`));
      // A table of rows is walked by the suites that import it: each door has to be among them.
      const at = table === undefined ? undefined : walkers.get(table);
      if (at === undefined) return [];
      return doors
        .filter(([asked, where]) => asked.test(door) && !at.some((file) => where.test(file)))
        .map(([asked]) => `${says}: ${asked.source}`);
    });
    expect(untested).to.deep.equal([]);
  });

  it('names of each row of a gate the shipped configuration that the suite starts it with', () => {
    const policies = new Map([
      ['base', 'manifests/base/policy.yaml'],
      ['overlays/documented', 'manifests/overlays/documented/policy.yaml'],
    ]);
    const suites = readdirSync(join(root, 'test', 'cluster'))
      .filter((file) => file.endsWith('.test.ts'))
      .map((file) => [file, readFileSync(join(root, 'test', 'cluster', file), 'utf8')] as const);
    /** The suites of a row: the file itself, or those on an API server that walk its table. */
    const textsOf = (test = ''): readonly string[] => {
      const own = suites.filter(([file]) => test === `test/cluster/${file}`);
      const table = /([\w-]+)\.ts$/.exec(test)?.[1] ?? '';
      const walking = suites.filter(([, text]) => text.includes(`/${table}.js'`));
      return (own.length > 0 ? own : walking).map(([, text]) => text);
    };
    const unshown = judged.flatMap(({ says, door = '', test, gate = test }) => {
      const named = /webhook on an API server \((.+?)\)/.exec(door)?.[1] ?? '';
      const policy = policies.get(named);
      const isShown =
        policy !== undefined &&
        textsOf(gate?.file).some((text) => text.includes(`--policy=${policy}`));
      return isShown || !door.includes('webhook') ? [] : [`${says}: ${door}`];
    });
    expect(unshown).to.deep.equal([]);
  });

  it('names rules and operations that are there', () => {
    const known = new Set(operations.map(({ name }) => name));
    const unknown = judged.flatMap(({ by = '' }) =>
      /^operations? /.test(by)
        ? [...by.matchAll(/`([a-z0-9-]+)`/g)]
            .map(([, name = '']) => name)
            .filter((name) => !known.has(name))
        : by.split(', ').filter((name) => /^[A-Z][A-Za-z]+$/.test(name) && !ruleNames.has(name)),
    );
    expect(unknown).to.deep.equal([]);
  });
});
