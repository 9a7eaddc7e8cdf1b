import { expect } from 'chai';
import jsonPatch, { type Operation } from 'fast-json-patch';
import { ValidatorCache } from '../../../kubernetes/index.js';
import {
  parseDocuments,
  parseYaml,
  type Document,
  type JsonObject,
} from '../../../text/documents/index.js';
import { endedBy } from '../../../rule/index.js';
import type { WrittenAt } from './fixes.js';
import { judgeManifest } from './judge.js';

const schema = `
schema:
  openAPIV3Schema:
    type: object
    properties:
      spec:
        type: object
        required: [size]
        properties:
          size: { type: integer, maximum: 10 }
          weight: { type: number }
          mode: { type: string, pattern: "^0[0-7]*$" }
          shared: { type: boolean }
          owner: { type: string }
          color: { type: string, enum: [red, Green, gray, grey] }
          tls: { type: string }
          either: { x-kubernetes-int-or-string: true }
          on: { type: object, additionalProperties: { type: string } }
          extra: { type: object, x-kubernetes-preserve-unknown-fields: true }
`.replaceAll('\n', '\n      ');

const crd = parseYaml(`
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: widgets.example.com }
spec:
  group: example.com
  scope: Cluster
  names: { kind: Widget, plural: widgets, singular: widget, listKind: WidgetList }
  versions:
    - name: v1alpha1
      served: false
      storage: false
      schema: { openAPIV3Schema: { type: object } }
    - name: v1beta1
      served: false
      storage: false${schema}
    - name: v1beta2
      served: true
      deprecated: true
      storage: false${schema}
    - name: v1
      served: true
      storage: true${schema}
`) as JsonObject;

const writtenIn =
  (document: Document): WrittenAt =>
  (keys) => {
    const node = document.tree?.trace(keys).at(-1)?.value;
    return node?.kind === 'scalar' ? { scalar: node.text } : {};
  };

const manifest = (spec: string, version = 'v1'): string =>
  `apiVersion: example.com/${version}\nkind: Widget\nmetadata: { name: a }\nspec: ${spec}\n`;

/** Each row: the spec as it is written, and the titles of the fixes. */
const rows: readonly [name: string, spec: string, fixes: readonly string[]][] = [
  ['a field that is mistyped', '{ sise: 1 }', ['rename "sise" to "size"']],
  ['a field in another case', '{ size: 1, TLS: a }', ['rename "TLS" to "tls"']],
  ['a number in quotes', '{ size: "3" }', ['write 3 in place of "3"']],
  ['a fraction in quotes', '{ size: 1, weight: "1.5" }', ['write 1.5 in place of "1.5"']],
  ['a boolean in quotes', '{ size: 1, shared: "true" }', ['write true in place of "true"']],
  ['a number that is an octal', '{ size: 1, mode: 0644 }', ['write "0644" in place of 0644']],
  ['a yes', '{ size: 1, owner: yes }', ['write "yes" in place of yes']],
  ['a version', '{ size: 1, owner: 1.10 }', ['write "1.10" in place of 1.10']],
  ['a value in another case', '{ size: 1, color: RED }', ['write "red" in place of "RED"']],
  ['a value that is mistyped', '{ size: 1, color: Gren }', ['write "Green" in place of "Gren"']],
  ['two at once', '{ sise: "3" }', []],
  [
    'each of two',
    '{ size: "3", sharred: true }',
    ['rename "sharred" to "shared"', 'write 3 in place of "3"'],
  ],
];

const without: readonly [name: string, spec: string][] = [
  ['what only may be meant', '{ size: 1, tlb: a }'],
  ['a field beside the one that is meant', '{ size: 1, sise: 2 }'],
  ['a value that does not fit then', '{ size: "11" }'],
  ['a field whose value does not fit then', '{ size: 1, ownner: 1 }'],
  ['a number that is a text in two ways', '{ size: "010" }'],
  ['what is no number', '{ size: three }'],
  ['a text of a prototype', '{ size: 1, shared: __proto__ }'],
  ['a value near two others', '{ size: 1, color: gry }'],
  ['a list', '{ size: [1] }'],
  ['two fields of which either may be meant', '{ size: 1, ownner: a, ownerr: b }'],
];

describe('fixes of a manifest', () => {
  const judge = (text: string, old?: JsonObject): ReturnType<typeof judgeManifest>['findings'] => {
    const [document] = parseDocuments(text) as [Document];
    const { value } = document;
    const validators = new ValidatorCache();
    return judgeManifest(value as JsonObject, { crd, old }, validators, undefined, {
      written: writtenIn(document),
    }).findings;
  };
  const titles = (text: string, old?: JsonObject): string[] =>
    judge(text, old)
      .flatMap((each) => each[endedBy]?.title ?? [])
      .sort();

  for (const [name, spec, fixes] of rows) {
    it(`mend ${name}`, () => expect(titles(manifest(spec))).to.deep.equal(fixes));
  }

  for (const [name, spec] of without) {
    it(`leave alone ${name}`, () => {
      const findings = judge(manifest(spec));
      expect(findings).to.not.deep.equal([]);
      expect(findings.flatMap((each) => each[endedBy] ?? [])).to.deep.equal([]);
      expect(findings.flatMap(({ fix }) => fix ?? [])).to.deep.equal([]);
    });
  }

  it('are patches after which the finding is gone', () => {
    for (const [, spec] of rows) {
      for (const finding of judge(manifest(spec)).filter(({ fix }) => fix !== undefined)) {
        const object = parseYaml(manifest(spec));
        const patched = jsonPatch.applyPatch(object, finding.fix as Operation[]).newDocument;
        const after = judge(JSON.stringify(patched));
        expect(after.map(({ message }) => message)).to.not.include(finding.message);
      }
    }
  });

  it('name a version with the same schema, whatever else is wrong', () => {
    const title = (version: string): string[] => titles(manifest('{ size: "3" }', version));
    expect(title('v1beta1')).to.deep.equal([
      'write example.com/v1 in place of example.com/v1beta1',
    ]);
    expect(title('v1beta2')).to.deep.equal([
      'write 3 in place of "3"',
      'write example.com/v1 in place of example.com/v1beta2',
    ]);
    expect(title('v1alpha1')).to.deep.equal([]);
    expect(title('v2')).to.deep.equal([]);
  });

  it('know of a version that is gone what the old definition says of it', () => {
    const old = structuredClone(crd) as { spec: { versions: { name: string }[] } };
    const version = old.spec.versions.find(({ name }) => name === 'v1');
    if (version) version.name = 'v1beta3';
    expect(titles(manifest('{ size: 1 }', 'v1beta3'), old)).to.deep.equal([
      'write example.com/v1 in place of example.com/v1beta3',
    ]);
  });

  it('are limited in number', () => {
    const list = Array.from({ length: 50 }, (_, index) => `a${index}: ${index}`).join(', ');
    expect(titles(manifest(`{ size: 1, on: { ${list} } }`))).to.have.length(20);
  });

  it('are not looked for where no text is known', () => {
    const object = parseYaml(manifest('{ sise: 1 }')) as JsonObject;
    const { findings } = judgeManifest(object, { crd }, new ValidatorCache());
    expect(findings.flatMap(({ fix }) => fix ?? [])).to.deep.equal([]);
  });
});
