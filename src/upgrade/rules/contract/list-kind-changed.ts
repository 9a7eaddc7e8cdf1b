import { from } from '../../../rule/index.js';
import { listPath, nameIn, usableVersion } from './requests.js';
import { defineContractRule } from './rule.js';

export const listKindChanged = defineContractRule({
  id: 'ListKindChanged',
  audience: 'clients',
  fields: ['spec.names.listKind'],
  checks: 'The kind of lists changes.',
  why: 'Typed clients decode lists by their kind, and do not know the new one.',
  instead: 'Keep spec.names.listKind; it defaults to the kind and List.',
  source: from.apiextensions('pkg/apis/apiextensions/types.go', 'CustomResourceDefinitionNames'),
  messages: {
    changed: 'the kind of lists changes from {before} to {after}: typed clients do not know it',
  },
  example: {
    before: 'spec: { names: { plural: widgets, kind: Widget, listKind: WidgetList } }',
    after: 'spec: { names: { plural: widgets, kind: Widget, listKind: Widgets } }',
    says: 'the kind of lists changes from WidgetList to Widgets',
  },
  *compare({ old, next }) {
    const [before, after] = [old, next].map((definition) => {
      const kind = nameIn(definition, 'names', 'listKind');
      return kind === '' ? `${nameIn(definition, 'names', 'kind')}List` : kind;
    }) as [string, string];
    if (before === after) return;
    const version = usableVersion(old, next);
    yield {
      id: 'changed',
      data: { before, after },
      place: { side: 'new', keys: ['spec', 'names', 'listKind'] },
      ...(version === undefined
        ? {}
        : {
            request: {
              verb: 'GET',
              path: listPath(old, version),
              before: { status: 200, reason: `kind ${before}` },
              after: { status: 200, reason: `kind ${after}` },
            },
          }),
    };
  },
});
