/** `catalog path` on the documented example, from argv to exit code. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { run } from './command.js';

const catalog = join('test', 'cli', 'testdata', 'documents');

const folder = mkdtempSync(join(tmpdir(), 'olm-guard-path-'));

/** A catalog of package etcd, whose bundles are called after its operator. */
function etcd(
  name: string,
  entries: readonly { name: string; replaces?: string; skips?: string[] }[],
): string {
  const objects = [
    { schema: 'olm.package', name: 'etcd', defaultChannel: 'alpha' },
    { schema: 'olm.channel', package: 'etcd', name: 'alpha', entries },
    ...entries.map((entry) => ({
      schema: 'olm.bundle',
      package: 'etcd',
      name: entry.name,
      image: `example.com/${entry.name}`,
      properties: [
        {
          type: 'olm.package',
          value: { packageName: 'etcd', version: entry.name.replace('etcdoperator.v', '') },
        },
      ],
    })),
  ];
  const file = join(folder, `${name}.json`);
  writeFileSync(file, objects.map((object) => JSON.stringify(object)).join('\n'));
  return `${name}=${file}`;
}

const skipping = etcd('skipping', [
  {
    name: 'etcdoperator.v0.9.2',
    replaces: 'etcdoperator.v0.9.0',
    skips: ['etcdoperator.v0.9.1'],
  },
  { name: 'etcdoperator.v0.9.0' },
]);
const newer = etcd('newer', [{ name: 'etcdoperator.v0.9.4', replaces: 'etcdoperator.v0.9.2' }]);

describe('catalog path', () => {
  after(() => rmSync(folder, { recursive: true }));

  const rows: [rule: string, args: string[], status: number, printed: RegExp[]][] = [
    [
      'prints both paths, why each step is taken, and where the two OLMs differ',
      ['example', '--from', '1.0.0', '--catalog', catalog],
      1,
      [
        /^1\.0\.0 of package example is not in the catalog; .*\n\nOLM classic\n {2}stays where it is\n/,
        /example\.v1\.0\.0 → example\.v2\.0\.0 {2}\(skipRange ">=1\.0\.0 <2\.0\.0" covers/,
        /is a dead end: nothing on the chain of channel stable, whose head is example\.v3\.0\.0/,
        /Where they differ\n.*OLM v1 goes to example\.v2\.0\.0/,
      ],
    ],
    [
      'reaches the newest with OLM v1',
      ['example', '--from', '1.0.0', '--v1', '--catalog', `here:3=${catalog}`],
      0,
      [/example\.v2\.0\.0 → example\.v3\.0\.0 {2}\(skips example\.v2\.0\.0; .*catalog here\)/],
    ],
    [
      'knows the documented precedence',
      [
        'example',
        '--from',
        '2.0.0',
        '--classic',
        '--precedence',
        'documents',
        '--catalog',
        catalog,
      ],
      0,
      [/with the precedence of OpenShift’s documentation[^]*2\. next in the subscription’s source/],
    ],
    [
      'names the package that was meant',
      ['exmaple', '--catalog', catalog],
      2,
      [/there is no package "exmaple" in documents \(did you mean "example"\?\)/],
    ],
    [
      'names the channels there are',
      ['example', '--channel', 'beta', '--catalog', catalog],
      2,
      [/package "example" has no channel "beta"; it has stable/],
    ],
    [
      'knows a version that is only skipped',
      ['etcd', '--from', '0.9.1', '--catalog', skipping],
      0,
      [/etcdoperator\.v0\.9\.1 → etcdoperator\.v0\.9\.2 {2}\(skips etcdoperator\.v0\.9\.1/],
    ],
    [
      'says over several catalogs that the newest of all is reached',
      [
        'etcd',
        '--from',
        '0.9.0',
        '--classic',
        '--precedence',
        'documents',
        '--catalog',
        skipping,
        '--catalog',
        newer,
      ],
      0,
      [/etcdoperator\.v0\.9\.2 → etcdoperator\.v0\.9\.4/],
    ],
    ['needs a catalog', ['example'], 2, [/--catalog <catalog>/]],
  ];
  for (const [rule, args, status, printed] of rows) {
    it(rule, async () => {
      const { code, stdout, stderr } = await run(['catalog', 'path', ...args]);
      expect(code, stderr).to.equal(status);
      for (const text of printed) expect(stdout + stderr).to.match(text);
    });
  }
});
