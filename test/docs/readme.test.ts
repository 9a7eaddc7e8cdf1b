/** README.md: the order of the job, at most 1,500 words, and a question to the sidecar that is asked as printed. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { root, start } from '../cli/command.js';
import { until } from '../server/until.js';

const read = (...path: string[]): string => readFileSync(join(root, ...path), 'utf8');
const page = read('README.md');
const section = (title: string): string => page.split(`## ${title}\n`)[1]?.split('\n## ')[0] ?? '';
const blocks = (text: string): string[] =>
  [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, script = '']) => script);

describe('README.md', () => {
  it('has at most 1,500 words', () => {
    expect(page.split(/\s+/).filter((word) => word !== '').length).to.be.at.most(1500);
  });

  it('is in the order of the job', () => {
    const titles = [...page.matchAll(/^##+ (.+)$/gm)].map(([, title]) => title);
    expect(titles).to.deep.equal([
      ...['Two commands', 'The gate', 'Register it', 'Scrape it', 'Switch it off'],
      ...['The sidecar', 'In CI', 'Everything else'],
    ]);
  });

  it('says of verdicts first what docs/verdicts.md begins with', () => {
    const [, principle = ''] = /^# Verdicts\n\n(.+)\n/.exec(read('docs', 'verdicts.md')) ?? [];
    expect(principle).to.match(/^A change .* is denied if it is shown to harm somebody/);
    expect(page).to.include(principle.slice(0, -1));
    expect(page.indexOf(principle.slice(0, 40))).to.be.lessThan(page.indexOf('denies'));
  });

  it('names the overlay that the documents prescribe, and where each of their statements is', () => {
    expect(page).to.match(/`documented` \|.*\[docs\/coverage\.md\]\(docs\/coverage\.md\)/);
    expect(read('CONTRIBUTING.md')).to.include('(docs/coverage.md)');
  });

  it('names every page of docs, so that no page is lost', () => {
    const named = [...page.matchAll(/\(docs\/([\w-]+\.md)/g)].map(([, name]) => name);
    for (const name of ['operations', 'runbook', 'metrics', 'sidecar', 'mirrors', 'rules'])
      expect(named).to.include(`${name}.md`);
  });

  it('asks the sidecar about a definition, and gets the denial that the text promises', async () => {
    const [serve = '', ask = ''] = blocks(section('The sidecar'));
    const [, args = ''] = /^olm-guard (sidecar --listen 127\.0\.0\.1):8181$/m.exec(serve) ?? [];
    expect(args).to.not.equal('');
    const sidecar = start(`${args}:0`.split(' '));
    try {
      await until(() => sidecar.stdout().includes('olm-guard ready'));
      const [, url = ''] = /ready (\S+)/.exec(sidecar.stdout()) ?? [];
      const script = ask.replace('http://127.0.0.1:8181', url);
      expect(script).to.not.equal(ask);
      const { stdout: answer } = await promisify(execFile)('bash', ['-ec', script], { cwd: root });
      const [, promised = ''] = /header `([^`]+)` is the verdict/.exec(page) ?? [];
      expect(answer.toLowerCase()).to.include(promised.toLowerCase());
      expect(answer).to.include('NoExistingFieldRemoved');
    } finally {
      sidecar.process.kill('SIGKILL');
    }
  });
});
