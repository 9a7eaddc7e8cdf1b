import type { JsonObject } from '../../../../text/documents/index.js';
import { aCsv, describeRule } from '../testing/harness.js';
import { unreadableOpenShiftLimit } from './csv-contents.js';

const limited = (properties: string): JsonObject =>
  aCsv({ metadata: { annotations: { 'olm.properties': properties } } });
const projected = (properties: string): JsonObject =>
  aCsv({ metadata: { annotations: { 'operatorframework.io/properties': properties } } });

describeRule(unreadableOpenShiftLimit, [
  { when: 'there is none', object: aCsv(), says: [] },
  {
    when: 'it can be read',
    object: limited('[{"type":"olm.maxOpenShiftVersion","value":"4.18"}]'),
    says: [],
  },
  {
    when: 'only OLM classic can read it',
    object: limited('[{"type":"olm.maxOpenShiftVersion","value":"4.18.0"}]'),
    says: [/^warning: OLM v1 cannot read olm.maxOpenShiftVersion: .*invalid version format$/],
  },
  {
    when: 'it is a placeholder',
    object: limited('[{"type":"olm.maxOpenShiftVersion","value":"<cluster_version>"}]'),
    says: [/^warning: OLM cannot read .*: failed to parse "<cluster_version>" as semver/],
  },
  {
    when: 'the annotation is no list',
    object: limited('{'),
    says: [
      /^warning: .*: failed to unmarshal properties annotation: unexpected end of JSON input$/,
    ],
  },
  {
    when: 'what OLM projects is no object',
    object: projected('[]'),
    says: [
      /annotation: json: cannot unmarshal array into Go value of type projection.propertiesAnnotation$/,
    ],
  },
  {
    when: 'what OLM projects has no list',
    object: projected('{"properties":"4.18"}'),
    says: [/annotation: json: cannot unmarshal string into Go struct field propertiesAnnotation/],
  },
  { when: 'what OLM projects has no properties', object: projected('{}'), says: [] },
]);
