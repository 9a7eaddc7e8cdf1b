import type { JsonObject, JsonValue } from '../../../../text/documents/index.js';
import { aCsv, describeRule } from '../testing/harness.js';
import { installedConstraints } from './csv-contents.js';

const withConstraint = (value: JsonValue, key = 'operatorframework.io/properties'): JsonObject => {
  const list = [{ type: 'olm.constraint', value }];
  const projected = key === 'olm.properties' ? list : { properties: list };
  return aCsv({ metadata: { annotations: { [key]: JSON.stringify(projected) } } });
};
const readable = { packageName: 'dogs', versionRange: '>=1.0.0' };

describeRule(installedConstraints, [
  { when: 'there is none', object: aCsv(), says: [] },
  { when: 'OLM can read it', object: withConstraint({ package: readable }), says: [] },
  {
    when: 'a key is the documents’ own',
    object: withConstraint({ package: { name: 'dogs', versionRange: '>=1.0.0' } }),
    says: [
      {
        id: 'unreadable',
        data: {
          index: 0,
          rule: 'UnreadableConstraint',
          message:
            'OLM cannot read the constraint: parse olm.constraint: json: unknown field "name"',
        },
      },
    ],
  },
  {
    when: 'a variable is not there',
    object: withConstraint({ cel: { rule: 'cluster.version == "4.12"' } }),
    says: [
      {
        id: 'unreadable',
        data: {
          index: 0,
          rule: 'UnknownCelVariable',
          message:
            "the CEL rule names cluster, which OLM does not know: convert olm.constraint to resolver predicate: ERROR: <input>:1:1: undeclared reference to 'cluster' (in container '')",
        },
      },
    ],
  },
  {
    when: 'its author wrote it into the annotation of the bundle',
    object: withConstraint({ failureMessage: 'm' }, 'olm.properties'),
    says: [
      {
        id: 'unreadable',
        data: {
          index: 0,
          rule: 'UnreadableConstraint',
          message:
            'OLM cannot read the constraint: convert olm.constraint to resolver predicate: constraint is empty',
        },
      },
    ],
  },
  {
    when: 'one operator has to be all',
    object: withConstraint({
      all: {
        constraints: [{ package: readable }, { gvk: { group: 'g', version: 'v1', kind: 'K' } }],
      },
    }),
    says: [
      {
        id: 'unreadable',
        data: {
          index: 0,
          rule: 'AllMeansOneBundle',
          message:
            'all names a package and something else that other operators may provide; OLM wants one bundle that meets both',
        },
      },
    ],
  },
  {
    when: 'the annotation is no JSON',
    object: aCsv({ metadata: { annotations: { 'operatorframework.io/properties': '{' } } }),
    says: [],
  },
]);
