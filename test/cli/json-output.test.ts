/** schemas/ has a file for every command that prints JSON, which names every field and lets no other pass. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Command } from 'commander';
import { commandsFor } from '../../src/cli/commands.js';
import { families } from '../../src/rule/finding.js';
import { schemaUrl } from '../../src/text/package.js';
import { root, run } from './command.js';
import { demandSchema, schemaFileOf } from './output-schema.js';

type Json = Readonly<Record<string, unknown>>;

const read = (file: string): Json =>
  JSON.parse(readFileSync(join(root, 'schemas', file), 'utf8')) as Json;

/** Of what no command prints with \`-o json\`. */
const others = ['log.schema.json', 'policy.schema.json'];
const files = readdirSync(join(root, 'schemas')).filter((file) => !others.includes(file));

const old = 'examples/cluster';
const removed = 'examples/upgrades/field-removed.yaml';
const before = 'examples/catalogs/before';
const state = ['--state', 'examples/olm'];
const bundles = ['examples/bundles/reports.v1.1.0', 'examples/bundles/reports.v1.0.0'] as const;

/** Commands without a cluster; those with one are run in test/cluster. */
const rows: readonly (readonly string[])[] = [
  ['check', 'crd', old, removed],
  ['check', 'crd', old, removed, '--rollback', '--objects', 'examples/objects'],
  ['check', 'bundle', bundles[0], '--against', bundles[1]],
  ['check', 'chart', 'examples/charts/old', 'examples/charts/new'],
  ['check', 'objects', 'examples/objects', '--crds', removed, '--against', old],
  ['check', 'operatorgroup', 'examples/groups/reporting.yaml', ...state, '--explain'],
  ['scan', ...state],
  ['catalog', 'validate', before],
  ['catalog', 'diff', before, 'examples/catalogs/after'],
  ['catalog', 'list', before],
  ['catalog', 'show', 'reports', before],
  ['catalog', 'path', 'reports', before, '--from', '1.0.0'],
  ['catalog', 'graph', 'reports', before],
  ['resolve', '--catalog', before, '--subscribe', 'reports'],
  ['range', '>=1.11, <1.13', '1.12.4'],
  ['plan', old, removed],
  ['export', 'vap', old],
];

describe('schemas/', () => {
  it('has a file for each command with -o json, and for nothing else', async () => {
    const withJson = (command: Command, path: readonly string[]): string[] => [
      ...(command.options.some(
        (option) => option.long === '--output' && option.argChoices?.includes('json'),
      )
        ? [path.join(' ')]
        : []),
      ...command.commands.flatMap((each) => withJson(each, [...path, each.name()])),
    ];
    const commands = await commandsFor(undefined);
    const printing = commands.flatMap((command) => withJson(command, [command.name()]));
    expect(printing).to.include('check crd').and.include('migrate verify');
    const wanted = printing.map((path) => schemaFileOf([...path.split(' '), '-o', 'json']));
    expect([...new Set(wanted)].sort()).to.deep.equal(files.sort());
    expect(wanted).to.have.length(files.length);
  });

  for (const args of rows) {
    it(`has what olm-guard ${args.join(' ')} prints`, async () => {
      const { code, stdout, stderr } = await run([...args, '-o', 'json']);
      expect(code, stderr).to.be.oneOf([0, 1]);
      expect(stdout).not.to.equal('');
    });
  }

  for (const file of files) {
    it(`${file} says where it is, and closes every object whose fields it names`, () => {
      const schema = read(file);
      expect(schema).to.include({
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        $id: schemaUrl(file),
      });
      const open: unknown[] = [];
      const look = (value: unknown): void => {
        if (typeof value !== 'object' || value === null) return;
        const { properties, additionalProperties } = value as Json;
        if (typeof properties === 'object' && additionalProperties !== false) open.push(value);
        Object.values(value).forEach(look);
      };
      look(schema);
      expect(open).to.deep.equal([]);
    });
  }

  it('refuses unknown fields', async () => {
    const { stdout } = await run(['plan', old, removed, '-o', 'json']);
    const plan = JSON.parse(stdout) as { steps: object[] };
    const [step] = plan.steps;
    for (const wrong of [
      { ...plan, more: 1 },
      { ...plan, steps: [{ ...step, state: 'unclear' }] },
      { ...plan, steps: [{ ...step, unchecked: undefined }] },
    ]) {
      expect(() => demandSchema('plan.schema.json', JSON.stringify(wrong))).to.throw('not in');
    }
    const { Family } = read('plan.schema.json')['$defs'] as { Family: { enum: string[] } };
    expect(Family.enum).to.deep.equal(families);
  });
});
