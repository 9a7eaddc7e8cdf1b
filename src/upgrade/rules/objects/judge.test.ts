import { expect } from 'chai';
import { ValidatorCache } from '../../../kubernetes/index.js';
import { parseYaml, type JsonObject } from '../../../text/documents/index.js';
import { judgeManifest } from './judge.js';

const crd = parseYaml(`
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: widgets.example.com }
spec:
  group: example.com
  scope: Cluster
  names: { kind: Widget, plural: widgets, singular: widget, listKind: WidgetList }
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties: { size: { type: integer } }
`) as JsonObject;

describe('unknown fields of a manifest', () => {
  it('are all told, and few are compared with every field that there is', () => {
    const fields = Array.from({ length: 50 }, (_, index) => `siz${index}: 1`);
    const object = parseYaml(
      `apiVersion: example.com/v1\nkind: Widget\nmetadata: { name: big }\n${fields.join('\n')}\n`,
    ) as JsonObject;
    const { findings } = judgeManifest(object, { crd }, new ValidatorCache());
    expect(findings).to.have.length(50);
    const guessed = findings.filter(({ finding }) => finding.message.includes('did you mean'));
    expect(guessed).to.have.length(20);
  });
});

describe('a manifest of a cluster-scoped kind', () => {
  it('may have a namespace, as kustomize sets it: the API server clears it', () => {
    const object = parseYaml(
      'apiVersion: example.com/v1\nkind: Widget\nmetadata: { name: a, namespace: web }\nsize: 1\n',
    ) as JsonObject;
    const { findings } = judgeManifest(object, { crd }, new ValidatorCache());
    expect(findings).to.deep.equal([]);
  });
});
