import type { JsonObject, JsonValue } from '../../../../text/documents/index.js';
import { aCsv, describeRule } from '../testing/harness.js';
import { installedConstraints } from './installed-constraints.js';

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
    says: [/^warning: properties\[0\]: UnreadableConstraint: .*unknown field "name"$/],
  },
  {
    when: 'a variable is not there',
    object: withConstraint({ cel: { rule: 'cluster.version == "4.12"' } }),
    says: [/^warning: properties\[0\]: UnknownCelVariable: the CEL rule names cluster/],
  },
  {
    when: 'its author wrote it into the annotation of the bundle',
    object: withConstraint({ failureMessage: 'm' }, 'olm.properties'),
    says: [/UnreadableConstraint: .*constraint is empty$/],
  },
  {
    when: 'one operator has to be all',
    object: withConstraint({
      all: {
        constraints: [{ package: readable }, { gvk: { group: 'g', version: 'v1', kind: 'K' } }],
      },
    }),
    says: [/AllMeansOneBundle: .*OLM wants one bundle that meets both$/],
  },
  {
    when: 'the annotation is no JSON',
    object: aCsv({ metadata: { annotations: { 'operatorframework.io/properties': '{' } } }),
    says: [],
  },
]);
