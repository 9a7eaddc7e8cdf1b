/** `check objects` of a whole repository: every break at the line where it is written, nothing else denied. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { expect } from 'chai';
import { parseYaml, stringifyJson } from '../../src/text/documents/index.js';
import { ensurePrograms } from '../apiserver/binaries.js';
import { useCluster } from '../apiserver/mocha.js';
import { until } from '../apiserver/processes.js';
import { Random } from '../apiserver/random-schemas.js';
import { run } from '../cli/command.js';
import { definitions } from '../cluster/widgets.js';
import { definition, makeMonorepo } from './monorepo.js';

const pairs = 200;

interface Answer {
  readonly results: readonly {
    readonly name: string;
    readonly places: readonly { readonly file?: string; readonly line?: number }[];
  }[];
  readonly unchecked?: readonly string[];
}

describe('a repository with kustomizations, charts and Applications', function () {
  this.timeout(600_000);
  const cluster = useCluster();
  const folder = mkdtempSync(join(tmpdir(), 'olm-guard-monorepo-'));
  const made = makeMonorepo(new Random(Number(process.env['OLM_GUARD_SEED'] ?? 1)), pairs);
  let answer: Answer;

  before(async () => {
    mkdirSync(join(folder, '.git'));
    for (const [name, text] of made.files) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    const programs = await ensurePrograms(['kubectl', 'helm']);
    const path = [...programs.values()].map((file) => dirname(file));
    const { stdout, stderr } = await run(['check', 'objects', folder, '-o', 'json'], {
      env: { PATH: [...path, process.env['PATH'] ?? ''].join(delimiter) },
    });
    expect(stdout, stderr).to.match(/^\{/);
    answer = JSON.parse(stdout) as Answer;
  });
  after(() => rmSync(folder, { recursive: true }));

  it('has each break named at its line, and no look-alike', () => {
    const named = new Map(
      answer.results.map(({ name, places }) => {
        const lines = places.map(({ file, line }) => `${file}:${line}`);
        return [name, new Set(lines)];
      }),
    );
    const wrong: string[] = [];
    for (const { name, namespace, breaks, file, line } of made.objects) {
      const key = `Backup ${namespace === '' ? '' : `${namespace}/`}${name}`;
      const places = [...(named.get(key) ?? ['not judged'])].join(', ');
      const expected = breaks ? `${join(folder, file)}:${line}` : '';
      if (places !== expected) wrong.push(`${key}: ${places} instead of ${expected}`);
    }
    expect(wrong.join('\n')).to.equal('');
    expect(made.objects.filter(({ breaks }) => breaks)).to.have.length(pairs);
    expect(answer.results).to.have.length(2 * pairs);
  });

  it('has everything named that cannot be rendered, once', () => {
    const unchecked = answer.unchecked ?? [];
    for (const each of made.broken) {
      const about = unchecked.filter((sentence) => sentence.startsWith(join(folder, each)));
      expect(about, each).to.have.length(1);
    }
    expect(unchecked).to.have.length(made.broken.length);
  });

  it('has what a real API server refuses in a dry run', async () => {
    const { code, text } = await cluster().request(
      'POST',
      definitions,
      stringifyJson(parseYaml(definition)),
    );
    expect(code, text).to.equal(201);
    await until('backups to be served', async () => {
      const list = await cluster().request('GET', '/apis/example.com/v1/backups');
      return list.code === 200 ? true : undefined;
    });
    for (const { name, object, breaks } of made.objects) {
      const dryRun = await cluster().request(
        'POST',
        '/apis/example.com/v1/namespaces/default/backups?dryRun=All&fieldValidation=Strict',
        JSON.stringify(object),
      );
      expect(dryRun.code >= 400, `${name}: ${dryRun.text}`).to.equal(breaks);
    }
  });
});
