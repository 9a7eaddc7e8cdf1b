import { from } from '../../../rule/index.js';
import { nameIn } from './requests.js';
import { defineContractRule } from './rule.js';

export const nameChanged = defineContractRule({
  id: 'NameChanged',
  audience: 'objects',
  family: 'crd-upgrade-safety',
  refusedByServer: true,
  fields: ['metadata.name', 'spec.group', 'spec.names.kind', 'spec.names.plural'],
  checks: 'The group, the kind or the plural changes.',
  why: 'Objects are stored under these names, so the API server refuses the change: the release fails on every cluster that has the definition.',
  otherwise: 'spec.names.kind: Invalid value: "Gadget": field is immutable',
  instead: 'Ship a definition with another name, and move the objects there.',
  source: from.apiextensions(
    'pkg/apis/apiextensions/validation/validation.go',
    'ValidateCustomResourceDefinitionSpecUpdate',
  ),
  messages: {
    changed: 'Kubernetes itself refuses this: the {what} changes from "{before}" to "{after}"',
  },
  example: {
    before: 'spec: { names: { plural: widgets, kind: Widget } }',
    after: 'spec: { names: { plural: widgets, kind: Gadget } }',
    says: 'Kubernetes itself refuses this: the kind changes from "Widget" to "Gadget"',
  },
  *compare({ old, next }) {
    const all: [what: string, ...keys: string[]][] = [
      ['group', 'group'],
      ['kind', 'names', 'kind'],
      ['plural', 'names', 'plural'],
    ];
    for (const [what, ...keys] of all) {
      const [before, after] = [nameIn(old, ...keys), nameIn(next, ...keys)];
      if (before === after) continue;
      yield {
        id: 'changed',
        data: { what, before, after },
        place: { side: 'new', keys: ['spec', ...keys] },
      };
    }
  },
});
