import { from } from '../../../rule/index.js';
import { nameIn, listPath, usableVersion, nameChanges } from './requests.js';
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

export const shortNameRemoved = defineContractRule({
  id: 'ShortNameRemoved',
  audience: 'display',
  fields: ['spec.names.shortNames'],
  checks: 'A short name is removed.',
  why: 'kubectl get with the short name, in runbooks and scripts, finds no such resource.',
  otherwise: 'error: the server doesn\'t have a resource type "wd"',
  instead: 'Keep the short name; there may be several.',
  source: from.kubernetesPages('Extend the Kubernetes API with CustomResourceDefinitions'),
  messages: { removed: 'short name "{name}" is removed', added: 'short name "{name}" is added' },
  example: {
    before: 'spec: { names: { plural: widgets, kind: Widget, shortNames: [wd, wg] } }',
    after: 'spec: { names: { plural: widgets, kind: Widget, shortNames: [wg] } }',
    says: 'short name "wd" is removed',
  },
  compare: (pair) => nameChanges(pair, 'shortNames'),
});

export const categoryRemoved = defineContractRule({
  id: 'CategoryRemoved',
  audience: 'display',
  fields: ['spec.names.categories'],
  checks: 'A category is removed.',
  why: 'kubectl get with the category, and tools that ask for all of one, no longer list these objects.',
  instead: 'Keep the category.',
  source: from.kubernetesPages('Extend the Kubernetes API with CustomResourceDefinitions'),
  messages: { removed: 'category "{name}" is removed', added: 'category "{name}" is added' },
  example: {
    before: 'spec: { names: { plural: widgets, kind: Widget, categories: [all, gadgets] } }',
    after: 'spec: { names: { plural: widgets, kind: Widget, categories: [gadgets] } }',
    says: 'category "all" is removed',
  },
  compare: (pair) => nameChanges(pair, 'categories'),
});

export const singularChanged = defineContractRule({
  id: 'SingularChanged',
  audience: 'display',
  fields: ['spec.names.singular'],
  checks: 'The singular name changes.',
  why: 'kubectl get with the old singular, in runbooks and scripts, finds no such resource.',
  otherwise: 'error: the server doesn\'t have a resource type "widget"',
  instead: 'Keep spec.names.singular; add the other one as a short name.',
  source: from.kubernetesPages('Extend the Kubernetes API with CustomResourceDefinitions'),
  messages: { changed: 'the singular changes from "{before}" to "{after}"' },
  example: {
    before: 'spec: { names: { plural: widgets, kind: Widget, singular: widget } }',
    after: 'spec: { names: { plural: widgets, kind: Widget, singular: gadget } }',
    says: 'the singular changes from "widget" to "gadget"',
  },
  *compare({ old, next }) {
    const [before, after] = [old, next].map(
      (definition) =>
        nameIn(definition, 'names', 'singular') ||
        nameIn(definition, 'names', 'kind').toLowerCase(),
    ) as [string, string];
    if (before === after) return;
    yield {
      id: 'changed',
      data: { before, after },
      place: { side: 'new', keys: ['spec', 'names', 'singular'] },
    };
  },
});
