/** `olm-guard check chart OLD NEW` of charts without an action of Helm, which are read without helm. */
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { root, run } from './command.js';

describe('check chart', () => {
  let folder: string;
  const chart = (name: string): string => join(folder, name);
  before(() => (folder = mkdtempSync(join(tmpdir(), 'olm-guard-check-chart-'))));
  beforeEach(() => cpSync(join(root, 'examples/charts'), folder, { recursive: true }));
  afterEach(() => rmSync(folder, { recursive: true }));

  async function check(...more: string[]): Promise<string[]> {
    const { stdout, stderr } = await run(
      ['check', 'chart', chart('old'), chart('new'), '-o', 'json', ...more],
      { env: { PATH: '' } },
    );
    expect(stdout, stderr).to.match(/^\{/);
    const { results } = JSON.parse(stdout) as {
      results: {
        verdict: { findings: { rule: string; object: { name: string } }[] };
        places: { file: string }[];
      }[];
    };
    const [result] = results;
    return (result?.verdict.findings ?? []).map(({ rule, object }, index) => {
      const file = result?.places[index]?.file ?? '';
      return `${rule} ${object.name} ${file.slice(folder.length + 1)}`;
    });
  }

  it('names the file of each object where two have the same problem', async () => {
    writeFileSync(
      join(chart('new'), 'templates/tomorrow.yaml'),
      'apiVersion: example.com/v1\nkind: Menu\nmetadata: { name: tomorrow }\nspec: { language: it }\n',
    );
    expect(await check()).to.have.members([
      'ChartNeedsNewCrd today new/templates/menu.yaml',
      'ChartNeedsNewCrd tomorrow new/templates/tomorrow.yaml',
      'ChartCrdNotUpgraded menus.example.com new/crds/menus.yaml',
    ]);
  });

  it('judges objects for the minors of Kubernetes that the policy or the command names', async () => {
    for (const each of ['old', 'new']) {
      const file = join(chart(each), 'crds/menus.yaml');
      const text = readFileSync(join(chart('new'), 'crds/menus.yaml'), 'utf8');
      writeFileSync(file, text.replace('type: integer', 'type: integer, format: int32'));
    }
    const menu = join(chart('new'), 'templates/menu.yaml');
    writeFileSync(menu, readFileSync(menu, 'utf8').replace('dishes: 3', 'dishes: 3000000000'));
    const policy = join(folder, 'policy.yaml');
    const head = 'apiVersion: olm-guard.io/v1alpha1\nkind: Policy\n';
    writeFileSync(policy, `${head}kubernetes: "1.35"\n`);
    const refused = ['ObjectRefused today new/templates/menu.yaml'];
    expect(await check()).to.deep.equal(refused);
    expect(await check('--policy', policy)).to.deep.equal([]);
    expect(await check('--policy', policy, '--kubernetes', '1.36')).to.deep.equal(refused);
  });

  it('prints the kind above each object', async () => {
    const { stdout } = await run(['check', 'chart', chart('old'), chart('new')], {
      env: { PATH: '' },
    });
    expect(stdout).to.match(/^ {2}Menu today spec\.language$/m);
  });

  it('treats templates/crds as templates', async () => {
    for (const each of ['old', 'new']) {
      mkdirSync(join(chart(each), 'templates/crds'));
      renameSync(
        join(chart(each), 'crds/menus.yaml'),
        join(chart(each), 'templates/crds/menus.yaml'),
      );
    }
    expect(await check()).to.deep.equal([
      'ChartDeletesCrd menus.example.com new/templates/crds/menus.yaml',
    ]);
  });

  it('says where a chart has no definition to look at', async () => {
    for (const each of ['old', 'new']) rmSync(join(chart(each), 'crds'), { recursive: true });
    const { stdout, code } = await run(['check', 'chart', chart('old'), chart('new')], {
      env: { PATH: '' },
    });
    expect(stdout.match(/has no CustomResourceDefinition as it is rendered/g)).to.have.length(2);
    expect(code).to.equal(0);
  });
});
