import { annotatedCsv } from '../example-objects.js';
import { bundleProperties } from '../../../objects/open-shift-limit.js';
import { textAt } from '../../../../text/documents/fields.js';
import { isObject, own, parseJson, type JsonValue } from '../../../../text/documents/index.js';
import { lintConstraint } from '../../bundle/lints.js';
import { from } from '../../../../rule/index.js';
import { defineOlmRule } from '../rule.js';

const annotated = (value: string): string =>
  annotatedCsv(
    `operatorframework.io/properties: '{"properties":[{"type":"olm.constraint","value":${value}}]}'`,
  );

export const installedConstraints = defineOlmRule({
  id: 'InstalledConstraints',
  subject: 'ClusterServiceVersion',
  family: 'resolution',
  severity: 'warning',
  protects: 'own-namespace',
  checks:
    'OLM can read each olm.constraint of a ClusterServiceVersion, and reads it as it is meant: what check bundle says of them.',
  why: 'An installed operator is asked for what it depends on at every resolution. One constraint that OLM cannot read stops all installations and upgrades in its namespace.',
  otherwise: 'ErrorPreventedResolution: parse olm.constraint: …',
  instead: 'Mend the constraint in the bundle; its check names the place.',
  source: from.olm('pkg/controller/registry/resolver/source_csvs.go', 'newEntryFromV1Alpha1CSV'),
  messages: { unreadable: 'properties[{index}]: {rule}: {message}' },
  example: {
    after: annotated(
      '{"failureMessage":"needs dogs","package":{"name":"dogs","versionRange":">=1.0.0"}}',
    ),
    says: 'OLM cannot read the constraint: parse olm.constraint: json: unknown field "name"',
    accepted: annotated(
      '{"failureMessage":"needs dogs","package":{"packageName":"dogs","versionRange":">=1.0.0"}}',
    ),
  },
  *judge({ object }) {
    const properties = propertiesOf(bundleProperties(object));
    for (const [index, property] of properties.entries()) {
      if (!isObject(property) || textAt(property, 'type') !== 'olm.constraint') continue;
      const value = own(property, 'value') ?? null;
      for (const found of lintConstraint(value)) {
        yield {
          id: 'unreadable',
          data: { index, rule: found.rule, message: found.message },
          path: '$.metadata.annotations',
          cause: `${found.rule} properties[${index}]`,
          ...(typeof found.fix === 'string' ? { fix: found.fix } : {}),
        };
      }
    }
  },
});

/** @param text JSON, which another rule judges */
function propertiesOf(text: string | null): readonly JsonValue[] {
  if (text === null) return [];
  try {
    const list = parseJson(text);
    return Array.isArray(list) ? list : [];
  } catch {
    return [];
  }
}
