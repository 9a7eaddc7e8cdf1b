/** `olm-guard check crd OLD NEW` of objects of which controllers make definitions. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { collectCrds } from '../../src/upgrade/index.js';
import { parseDocuments, stringifyJson } from '../../src/text/documents/index.js';
import { runHere } from './command.js';
import { definitionText, Repository } from './repository.js';

const composite = `apiVersion: apiextensions.crossplane.io/v2
kind: CompositeResourceDefinition
metadata: {name: widgets.example.org}
spec:
  group: example.org
  names: {kind: Widget, plural: widgets}
  versions:
  - name: v1
    served: true
    referenceable: true
    schema:
      openAPIV3Schema:
        properties:
          spec:
            properties:
              size: {type: integer, maximum: 10}
`;

const graph = `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: widgets}
spec:
  schema:
    apiVersion: v1
    kind: Widget
    spec:
      color: string | enum="red,blue"
    status:
      address: \${service.spec.clusterIP}
      gone: \${service.spec.type}
  resources:
  - id: service
    template: {apiVersion: v1, kind: Service}
`;

interface Checked {
  readonly code: number | null;
  /** `LINE RULE` of each finding that is told, with the file that is changed. */
  readonly findings: readonly string[];
  readonly text: string;
}

describe('check crd of what definitions are made of', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'olm-guard-sources-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function write(name: string, text: string): string {
    const file = join(folder, name);
    writeFileSync(file, text);
    return file;
  }

  async function check(...args: string[]): Promise<Checked> {
    const { code, stdout } = await runHere(['check', 'crd', ...args]);
    const lines = stdout.matchAll(/new\.yaml:(\d+):\d+ {2}\w+ {2}(\S+)/g);
    return { code, findings: [...lines].map(([, line, rule]) => `${line} ${rule}`), text: stdout };
  }

  it('says once for all definitions of a folder that it was moved', async () => {
    const files = (place: string): [string, string][] =>
      ['widgets', 'gadgets', 'gizmos'].map((name) => [
        `${place}/${name}.yaml`,
        definitionText(name),
      ]);
    const repository = new Repository(Object.fromEntries(files('old')));
    try {
      repository.commit('start');
      repository.write(Object.fromEntries(files('new')));
      repository.git('rm', '-q', '-r', 'old');
      const { code, stderr } = await runHere(['check', 'crd', 'git:HEAD:new', 'new'], {
        cwd: repository.folder,
      });
      expect(code, stderr).to.equal(0);
      expect(stderr.split('there is nothing at')).to.have.length(2);
      expect(stderr).to.match(
        /at git:HEAD:new: 3 definitions are compared with git:HEAD:old\/gadgets\.yaml, /,
      );
    } finally {
      repository.remove();
    }
  });

  it('finds what an XRD breaks at its own line, and offers no patch of what Crossplane writes', async () => {
    const [old, next] = [
      write('old.yaml', composite),
      write('new.yaml', composite.replace('maximum: 10', 'maximum: 5')),
    ];
    const { code, findings, text } = await check(old, next);
    expect(code).to.equal(1);
    expect(findings).to.deep.equal(['16 ChangeValidator/MaximumLowered']);
    expect(text).not.to.include('fix:');
    const fixed = join(folder, 'fixed.yaml');
    const { stderr } = await runHere(['check', 'crd', old, next, '--fix', fixed]);
    expect(stderr).to.include('widgets.example.org is made of a CompositeResourceDefinition');
    expect(existsSync(fixed)).to.equal(false);
  });

  it('compares an XRD with the definition that Crossplane has made in the cluster', async () => {
    const state = join(folder, 'state');
    mkdirSync(state);
    const made = collectCrds(parseDocuments(composite)).crds.get('widgets.example.org');
    write('state/crd.json', stringifyJson(made?.crd.document ?? null));
    const next = write(
      'new.yaml',
      composite.replace('integer', 'string').replace(', maximum: 10', ''),
    );
    const { findings } = await check('cluster:', next, '--state', state);
    expect(findings[0]).to.match(/^16 /);
  });

  it('finds what an RGD breaks, and says which types it does not know', async () => {
    const changed = graph
      .replace('red,blue', 'red')
      .replace(/ *gone.*\n/, '')
      .replace('clusterIP', 'ports');
    const { text, findings } = await check(write('old.yaml', graph), write('new.yaml', changed));
    expect(findings).to.deep.equal([
      '9 ChangeValidator/EnumValueRemoved',
      '10 NoExistingFieldRemoved',
    ]);
    expect(text).to.include('types of status.address, status.gone');
  });

  it('takes no unknown type for a change', async () => {
    const changed = graph.replace('${service.spec.clusterIP}', 'a-${service.spec.clusterIP}');
    const { code, findings } = await check(write('old.yaml', graph), write('new.yaml', changed));
    expect(code).to.equal(0);
    expect(findings).to.deep.equal([]);
  });

  it('ends with 2 at the line of what a controller would refuse', async () => {
    const next = write('new.yaml', graph.replace('enum=', 'enums='));
    const { code, stdout, stderr } = await runHere(['check', 'crd', next, next]);
    expect(code).to.equal(2);
    expect(stdout).to.equal('');
    expect(stderr).to.include(`${next}:9:7: $.spec.schema.spec.color: has the marker "enums"`);
  });
});
