import { expect } from 'chai';
import { collectCrds, placeInFile } from './collect.js';
import { InvalidInputError, parseDocuments, type Path } from '../../text/documents/index.js';
import { valueAt } from '../../text/documents/fields.js';

const schemaKeys = ['spec', 'versions', 0, 'schema', 'openAPIV3Schema', 'properties'];

const composite = `
apiVersion: apiextensions.crossplane.io/v1
kind: CompositeResourceDefinition
metadata: {name: xwidgets.example.org}
spec:
  group: example.org
  names: {kind: XWidget, plural: xwidgets}
  claimNames: {kind: Widget, plural: widgets}
  versions:
  - name: v1
    served: true
    referenceable: true
    schema:
      openAPIV3Schema:
        properties:
          spec:
            properties:
              size: {type: integer}`;

const graph = `
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: widgets}
spec:
  schema:
    apiVersion: v1
    kind: Widget
    types:
      Port:
        number: integer
      Ports: "[]Port"
    spec:
      size: integer | default=1
      ports: Ports
      first:
        second: map[string]Port
    status:
      ready: \${thing.ready}`;

const apiResource = `
apiVersion: apis.kcp.io/v1alpha1
kind: APIResourceSchema
metadata: {name: v1.widgets.example.org}
spec:
  group: example.org
  names: {kind: Widget, plural: widgets}
  scope: Cluster
  conversion: {strategy: None}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      type: object
      properties:
        size: {type: integer}`;

function collect(text: string): ReturnType<typeof collectCrds>['crds'] {
  return collectCrds(parseDocuments(text, { file: 'a.yaml' })).crds;
}

function refusalOf(text: string): string {
  try {
    collect(text);
  } catch (error) {
    if (error instanceof InvalidInputError) return error.describe();
    throw error;
  }
  return 'taken';
}

describe('definitions that are made of other objects', () => {
  it('are named as their controllers name them', () => {
    const names = [composite, graph, apiResource].map((text) => [...collect(text).keys()]);
    expect(names).to.deep.equal([
      ['xwidgets.example.org', 'widgets.example.org'],
      ['widgets.kro.run'],
      ['widgets.example.org'],
    ]);
  });

  it('are the definition itself, where one stands beside its source', () => {
    const alone = collect(apiResource).get('widgets.example.org')?.crd.document ?? {};
    expect(collect(`${apiResource}\n---\n${JSON.stringify(alone)}`).size).to.equal(1);
    const other = JSON.stringify({ ...alone, spec: { group: 'example.org', versions: [] } });
    expect(refusalOf(`${apiResource}\n---\n${other}`)).to.include('a second time');
  });

  it('leave out the conversion of one version, as kcp does', () => {
    const crd = collect(apiResource).get('widgets.example.org')?.crd.document;
    expect(valueAt(crd, 'spec', 'conversion')).to.equal(undefined);
    expect(valueAt(crd, ...schemaKeys, 'size', 'type')).to.equal('integer');
  });

  const places: readonly [string, string, Path, number][] = [
    [composite, 'xwidgets.example.org', [...schemaKeys, 'spec', 'properties', 'size', 'type'], 18],
    [composite, 'xwidgets.example.org', [...schemaKeys, 'spec', 'properties', 'claimRef'], 17],
    [composite, 'xwidgets.example.org', ['spec', 'versions', 0, 'storage'], 12],
    [composite, 'widgets.example.org', ['spec', 'names', 'kind'], 8],
    [graph, 'widgets.kro.run', [...schemaKeys, 'spec', 'properties', 'size', 'default'], 14],
    [
      graph,
      'widgets.kro.run',
      [...schemaKeys, 'spec', 'properties', 'ports', 'items', 'properties', 'number'],
      11,
    ],
    [
      graph,
      'widgets.kro.run',
      [
        ...[...schemaKeys, 'spec', 'properties', 'first', 'properties', 'second'],
        ...['additionalProperties', 'properties', 'number', 'type'],
      ],
      11,
    ],
    [graph, 'widgets.kro.run', [...schemaKeys, 'status', 'properties', 'ready'], 19],
    [graph, 'widgets.kro.run', ['spec', 'versions', 0, 'name'], 7],
    [graph, 'widgets.kro.run', ['spec', 'names', 'plural'], 8],
    [apiResource, 'widgets.example.org', [...schemaKeys, 'size', 'type'], 17],
  ];
  for (const [text, name, keys, line] of places) {
    it(`${name}: ${keys.slice(-3).join('.')} stands at line ${line} of its source`, () => {
      const found = collect(text).get(name);
      expect(found && placeInFile(found, keys).line).to.equal(line);
    });
  }

  const refusals: readonly [string, string, string][] = [
    ['an unknown scope', composite.replace('group:', 'scope: Global\n  group:'), 'a.yaml:6:3: $.spec.scope'],
    ['a claim without a legacy scope', composite.replace('group:', 'scope: Cluster\n  group:'), 'LegacyCluster'],
    ['a claim of the same kind', composite.replace('kind: Widget', 'kind: XWidget'), 'a.yaml:8:'],
    ['no schema', composite.slice(0, composite.indexOf('    schema:')), 'a.yaml:10:5'],
    ['a type that is not there', graph.replace('map[string]Port', 'Nothing'), 'a.yaml:17:9: $.spec.schema.spec.first.second: names the type Nothing'],
    [
      'a long chain of types',
      graph.replace('Port:', `${Array.from({ length: 20_000 }, (_, at) => `T${at}: T${at + 1}`).join('\n      ')}\n      Port:`),
      'names a type through more than 100 others',
    ],
    [
      'many markers',
      graph.replace('default=1', 'validation=a '.repeat(50_000)),
      'has more than 1000 markers',
    ],
    ['a type that contains itself', graph.replace('number: integer', 'number: Ports'), 'contains itself'],
    ['a marker that kro does not know', graph.replace('default=1', 'size=1'), 'a.yaml:14:7: $.spec.schema.spec.size: has the marker "size"'],
    ['a default of another type', graph.replace('default=1', 'default=one'), 'has the default one, which is no integer'],
    ['a kind in lower case', graph.replace('kind: Widget', 'kind: widget'), 'must be in UpperCamelCase'],
    ['several versions without conversion', apiResource.replace(/ {2}conversion.*\n/, '').replace('  versions:', '  versions:\n  - {name: v0, served: true, storage: false, schema: {type: object}}'), 'has several versions and no conversion'],
  ]; // prettier-ignore
  for (const [what, text, said] of refusals) {
    it(`refuse ${what}`, () => expect(refusalOf(text)).to.include(said));
  }

  it('are bounded, however often types name each other', () => {
    const types = Array.from(
      { length: 40 },
      (_, at) =>
        `      T${at}: {a: "${at === 0 ? 'string' : `T${at - 1}`}", b: "${at === 0 ? 'string' : `T${at - 1}`}"}`,
    );
    const text = graph.replace('    types:', `    types:\n${types.join('\n')}`);
    expect(refusalOf(text)).to.include('stands for more than 100000 fields');
  });
});
