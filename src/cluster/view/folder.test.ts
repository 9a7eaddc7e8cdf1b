import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { own } from '../../text/documents/index.js';
import { FolderCluster } from './folder.js';
import { guessPlural } from '../../olm/objects/kubernetes-apis.js';
import { parseSelector } from './folder.js';

const state = `apiVersion: v1
kind: List
items:
  - {apiVersion: v1, kind: Namespace, metadata: {name: ns1, labels: {team: blue}}}
  - {apiVersion: v1, kind: Namespace, metadata: {name: ns2, labels: {team: red, olm.copiedFrom: x}}}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: geese.example.com}
spec: {group: example.com, names: {kind: Goose, plural: geese}}
---
{apiVersion: example.com/v1, kind: Goose, metadata: {name: g, namespace: ns1}}
---
# nothing here
---
just text
`;

describe('cluster: folder', () => {
  let folder: string;
  let cluster: FolderCluster;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'olm-guard-state-'));
    writeFileSync(join(folder, 'state.yaml'), state);
    cluster = await FolderCluster.read(folder);
  });
  after(() => rmSync(folder, { recursive: true }));

  const namespaces = { group: '', resource: 'namespaces' };
  const geese = { group: 'example.com', resource: 'geese' };

  it('gets by name and namespace, under the plural that the definition gives', async () => {
    const goose = await cluster.get(geese, 'g', 'ns1');
    expect(goose && own(goose, 'kind')).to.equal('Goose');
    expect(await cluster.get(geese, 'g', 'ns2')).to.equal(undefined);
    expect(await cluster.get({ group: 'x', resource: 'y' }, 'g')).to.equal(undefined);
  });

  it('lists by namespace and selector', async () => {
    const names = async (selector?: string): Promise<unknown[]> =>
      (
        await cluster.list(namespaces, selector === undefined ? {} : { labelSelector: selector })
      ).map(({ metadata }) => (metadata as { name: string }).name);
    expect(await names()).to.deep.equal(['ns1', 'ns2']);
    expect(await names('!olm.copiedFrom')).to.deep.equal(['ns1']);
    expect(await cluster.list(geese, { namespace: 'ns2' })).to.deep.equal([]);
  });
});

describe('cluster: label selectors', () => {
  const labels = new Map([
    ['team', 'blue'],
    ['olm.copiedFrom', ''],
  ]);
  const rows: [string, boolean][] = [
    ['', true],
    ['team', true],
    ['!team', false],
    ['team=blue', true],
    ['team == blue,olm.copiedFrom=', true],
    ['team!=blue', false],
    ['other!=blue', true],
    ['team in (red, blue)', true],
    ['team notin (red,green), !other', true],
    ['other in (a)', false],
    ['other notin (a)', true],
  ];
  for (const [selector, matches] of rows) {
    it(`${JSON.stringify(selector)} ${matches ? 'matches' : 'does not match'}`, () => {
      expect(parseSelector(selector)(labels)).to.equal(matches);
    });
  }

  it('refuses an invalid selector', () => {
    expect(() => parseSelector('a b')).to.throw('"a b" is not a label selector');
  });
});

describe('cluster: plurals', () => {
  for (const [kind, plural] of [
    ['OperatorGroup', 'operatorgroups'],
    ['NetworkPolicy', 'networkpolicies'],
    ['Ingress', 'ingresses'],
    ['Endpoints', 'endpoints'],
  ] as const) {
    it(`${kind} → ${plural}`, () => expect(guessPlural(kind)).to.equal(plural));
  }
});
