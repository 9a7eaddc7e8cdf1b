import { from } from '../../../rule/index.js';
import { listPath } from './requests.js';
import { objectsAt } from '../../../text/documents/fields.js';
import { textOf } from './subresources.js';
import { defineContractRule } from './rule.js';

export const selectableFieldRemoved = defineContractRule({
  id: 'SelectableFieldRemoved',
  audience: 'clients',
  fields: ['spec.versions[].selectableFields'],
  checks: 'A served version loses one of its selectableFields.',
  why: 'Lists and watches with that field selector get 400: informers that use it never come up again.',
  otherwise: 'field label not supported: spec.color',
  instead: 'Keep the entry: it costs nothing.',
  source: from.kubernetesPages('Field Selectors'),
  messages: {
    added: 'field selectors can use "{path}" from now on',
    removed: 'field selectors can no longer use "{path}": they get 400',
  },
  example: {
    before:
      'spec: { versions: [{ name: v1, served: true, storage: true, selectableFields: [{ jsonPath: .spec.color }] }] }',
    after: 'spec: { versions: [{ name: v1, served: true, storage: true }] }',
    says: 'field selectors can no longer use ".spec.color": they get 400',
  },
  *compare({ old, shared }) {
    for (const { old: before, new: after } of shared) {
      const [had, has] = [before, after].map(
        (version) =>
          new Set(
            objectsAt(version.document, 'selectableFields').map((each) => textOf(each, 'jsonPath')),
          ),
      ) as [Set<string>, Set<string>];
      const place = { side: 'new', keys: ['spec', 'versions', after.index] } as const;
      const common = { version: after.name, place } as const;
      for (const path of has) {
        if (had.has(path)) continue;
        yield {
          ...common,
          id: 'added',
          data: { path },
          isHarmless: true,
        };
      }
      for (const path of had) {
        if (has.has(path) || !after.served) continue;
        const selector = encodeURIComponent(`${path.replace(/^\./, '')}=a`);
        yield {
          ...common,
          id: 'removed',
          data: { path },
          request: {
            verb: 'GET',
            path: `${listPath(old, after.name)}?fieldSelector=${selector}`,
            before: { status: 200 },
            after: { status: 400, reason: 'BadRequest' },
          },
        };
      }
    }
  },
});
