/** `olm-guard check bundle`: what the author of an operator sees in CI. */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Verdict } from '../../src/rule/finding.js';
import { root, runHere } from './command.js';

const examples = join(root, 'examples', 'bundles');
const good = join(examples, 'reports.v1.0.0');
const bad = join(examples, 'reports.v1.1.0');

describe('check bundle', () => {
  it('exits with 0 for a good bundle, and warns that only OLM classic installs it', async () => {
    const { code, stdout, stderr } = await runHere(['check', 'bundle', good]);
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' });
    expect(stdout).to.match(/dependencies\.yaml:2:5 +warning +UnsupportedByOlmV1/);
    expect(stdout).to.match(/Bundle: 0 errors, 1 warning, 0 notes\n$/);
  });

  it('exits with 1 for an upgrade that breaks, with file and line of every finding', async () => {
    const { code, stdout, stderr } = await runHere(['check', 'bundle', bad, '--against', good]);
    expect({ code, stderr }).to.deep.equal({ code: 1, stderr: '' });
    expect(stdout).to.match(/dependencies\.yaml:4:\d+ +error +UnreadableConstraint/);
    expect(stdout).to.match(/crd\.yaml:21:\d+ +error +ChangeValidator/);
    expect(stdout).to.match(
      /^ {2}reports\.example\.com v1 \^\.spec\.retain\n(?: {4}.*\n)+? +proof: breaks objects: .*\n +apiVersion: example\.com\/v1$/m,
    );
  });

  it('prints the shape of every check for scripts, with the witness', async () => {
    const { stdout } = await runHere(['check', 'bundle', bad, '--against', good, '-o', 'json']);
    const { results } = JSON.parse(stdout) as {
      results: {
        name: string;
        verdict: Verdict;
        output: { crds: { results: { witness?: { spec: object } }[] }[] };
      }[];
    };
    expect(results.map(({ name }) => name)).to.deep.equal(['reports.v1.1.0']);
    expect(results[0]?.output.crds[0]?.results[0]?.witness?.spec).to.deep.equal({ retain: 0 });
  });

  it('denies by policy what is proven to break, and warns of the rest', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'olm-guard-check-bundle-'));
    const policy = join(folder, 'policy.yaml');
    writeFileSync(
      policy,
      'apiVersion: olm-guard.io/v1alpha1\nkind: Policy\nenforce: proven\nmodes: {UnreadableConstraint: audit}\n',
    );
    const ended = await runHere(['check', 'bundle', bad, '--against', good, '--policy', policy]);
    rmSync(folder, { recursive: true });
    expect(ended.stdout).to.match(/crd\.yaml:21:\d+ +error +ChangeValidator/);
    expect(ended.code).to.equal(1);
  });

  it('says what an exemption may mean that names nothing in the bundle', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'olm-guard-check-bundle-'));
    const policy = join(folder, 'policy.yaml');
    writeFileSync(
      policy,
      'apiVersion: olm-guard.io/v1alpha1\nkind: Policy\nexemptions: [{names: [reprots.example.com], reason: ours}, {names: [other.example.com]}]\n',
    );
    const ended = await runHere(['check', 'bundle', bad, '--against', good, '--policy', policy]);
    rmSync(folder, { recursive: true });
    expect(ended.stdout).to.include(
      'the exemption "ours" names "reprots.example.com", as nothing here is called (did you mean "reports.example.com"?)',
    );
    expect(ended.stdout).not.to.include('other.example.com');
    expect(ended.code).to.equal(1);
  });

  it('takes one file, and exits with 2 for what is no bundle', async () => {
    const one = await runHere(['check', 'bundle', join(bad, 'metadata', 'dependencies.yaml')]);
    expect(one.code).to.equal(1);
    const none = await runHere(['check', 'bundle', join(root, 'tsconfig.json')]);
    expect(none).to.include({ code: 2, stdout: '' });
    expect(none.stderr).to.include('tsconfig.json: holds nothing of a bundle');
    const missing = await runHere(['check', 'bundle', join(examples, 'nowhere')]);
    expect(missing).to.include({ code: 2, stdout: '' });
  });

  describe('of a bundle that is written for OLM classic', () => {
    const csv = (annotations = ''): string => `
apiVersion: operators.coreos.com/v1alpha1
kind: ClusterServiceVersion
metadata:
  name: packers.v1.0.0
  annotations: {${annotations}}
spec:
  version: 1.0.0
  installModes: [{ type: AllNamespaces, supported: true }]
  install:
    strategy: deployment
    spec:
      deployments:
        - name: packer
          spec: { template: { spec: { serviceAccountName: packer } } }
`;
    const account = (name: string): string =>
      `apiVersion: v1\nkind: ServiceAccount\nmetadata:\n  name: ${name}\n`;
    let folder: string;
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'olm-guard-check-bundle-'));
      mkdirSync(join(folder, 'manifests'));
      cpSync(join(good, 'metadata'), join(folder, 'metadata'), { recursive: true });
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    it('names a ServiceAccount that OLM makes by itself, in a file of its own or not', async () => {
      writeFileSync(join(folder, 'manifests', 'csv.yaml'), csv());
      writeFileSync(join(folder, 'manifests', 'account.yaml'), account('packer'));
      const ofItsOwn = await runHere(['check', 'bundle', folder]);
      expect(ofItsOwn.code, ofItsOwn.stdout).to.equal(1);
      expect(ofItsOwn.stdout).to.match(
        /account\.yaml:4:\d+ +error +BundleServiceAccount\n +the service account packer is/,
      );
      writeFileSync(
        join(folder, 'manifests', 'account.yaml'),
        `${account('other')}---\n${account('packer')}`,
      );
      const second = await runHere(['check', 'bundle', folder]);
      expect(second.stdout).to.match(/account\.yaml:9:\d+ +error +BundleServiceAccount$/m);
    });

    it('lets it have ServiceAccounts of other names', async () => {
      writeFileSync(join(folder, 'manifests', 'csv.yaml'), csv());
      writeFileSync(join(folder, 'manifests', 'account.yaml'), account('helper'));
      const { code, stdout } = await runHere(['check', 'bundle', folder]);
      expect(code, stdout).to.equal(0);
      expect(stdout).not.to.include('BundleServiceAccount');
    });

    for (const [value, said] of [
      ['"4.18.0"', /OLM v1 cannot read olm\.maxOpenShiftVersion.*"4\.18\.0"/],
      ['"4.18.3"', /keep an OpenShift cluster from its next minor version: .*4\.18\.3/],
      ['"<cluster_version>"', /failed to parse "<cluster_version>" as semver/],
      ['"4.18"', undefined],
    ] as const) {
      it(`says where a limit of ${value} stands that an OLM cannot read`, async () => {
        const property = `{ "type": "olm.maxOpenShiftVersion", "value": ${value} }`;
        const manifest = join(folder, 'manifests', 'csv.yaml');
        const check = async (file: string): Promise<void> => {
          const { stdout } = await runHere(['check', 'bundle', folder]);
          const [, place, message] =
            /^ *(.*) +warning +UnreadableOpenShiftLimit\n +(.*)$/m.exec(stdout) ?? [];
          if (said === undefined) expect(stdout).not.to.include('UnreadableOpenShiftLimit');
          else expect(message, stdout).to.match(said);
          expect(place ?? file).to.include(file);
        };
        writeFileSync(manifest, csv(`olm.properties: '[${property}]'`));
        await check('csv.yaml:');
        writeFileSync(manifest, csv());
        writeFileSync(join(folder, 'metadata', 'properties.yaml'), `properties: [${property}]`);
        await check('properties.yaml:');
      });
    }
  });
});
