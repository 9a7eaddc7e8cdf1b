/** The workflows run what there is, and only code that is named by its commit. */
import { expect } from 'chai';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { findSuites } from '../suites.js';

const root = join(import.meta.dirname, '..', '..');
const folder = join(root, '.github', 'workflows');
const files = [
  ...readdirSync(folder).map((name) => join(folder, name)),
  join(root, 'action.yml'),
  join(root, 'examples', 'ci', 'github-workflow.yaml'),
];
const texts = files.map((file) => readFileSync(file, 'utf8'));

describe('workflows', () => {
  const uses = texts.flatMap((text) =>
    [...text.matchAll(/^[ -]*uses: (?!\.\/)(.+)$/gm)].map(([, action = '']) => action),
  );

  it('name actions by commit, with the version behind it', () => {
    expect(uses).to.have.length.above(20);
    const moving = uses.filter((each) => !/^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(each));
    expect(moving).to.deep.equal([]);
  });

  it('name one commit of an action everywhere', () => {
    const repositories = new Map<string, string>();
    for (const each of uses) {
      const [, name = '', commit = ''] = /^([^/@]+\/[^/@]+)[^@]*@(.*)$/.exec(each) ?? [];
      expect(repositories.get(name) ?? commit, name).to.equal(commit);
      repositories.set(name, commit);
    }
  });

  it('ci.yml runs every suite, and every part of one that is divided', () => {
    const ci = load(readFileSync(join(folder, 'ci.yml'), 'utf8')) as {
      jobs: Record<
        string,
        { strategy?: { matrix: { suites?: string[] } }; steps: { run?: string }[] }
      >;
    };
    const jobs = Object.values(ci.jobs);
    const named = [
      ...jobs.flatMap(({ strategy }) => strategy?.matrix.suites ?? []),
      ...jobs.flatMap(({ steps }) =>
        steps.flatMap(({ run }) => /^npm test -- (.*)$/.exec(run ?? '')?.[1] ?? []),
      ),
    ].flatMap((line) => line.split(' '));
    const parts = findSuites().flatMap(({ name, parts }) =>
      named.includes(name) ? [name] : parts.map((_files, at) => `${name}:${at + 1}`),
    );
    expect(named.sort()).to.deep.equal(parts.sort());
  });

  it('give no job more than it says', () => {
    for (const [at, text] of texts.entries()) {
      if (files[at]?.endsWith('action.yml') === true) continue;
      expect((load(text) as { permissions?: unknown }).permissions, files[at]).not.to.equal(
        undefined,
      );
    }
  });
});
