import { from, sources } from '../../../rule/index.js';
import { quote } from '../../../text/go/index.js';
import { defineDefinitionRule } from './rule.js';

export const noScopeChange = defineDefinitionRule({
  id: 'NoScopeChange',
  crdify: 'scope',
  refusedByServer: true,
  checks: 'The scope changes between Cluster and Namespaced.',
  why: 'Every stored object would be out of reach; the API server refuses the change too.',
  otherwise: 'spec.scope: Invalid value: field is immutable',
  instead: 'Ship a definition with another name, and move the objects there.',
  source: sources(
    from.operatorController417(
      'internal/operator-controller/rukpak/preflights/crdupgradesafety/validator.go',
      'NoScopeChange',
    ),
    from.crdify('pkg/validations/crd/scope/scope.go'),
  ),
  example: {
    before: 'spec: { scope: Namespaced }',
    after: 'spec: { scope: Cluster }',
    says: 'scope changed from "Namespaced" to "Cluster"',
  },
  compare({ old, new: next }) {
    if (old.scope === next.scope) return [];
    const [before, after] = [quote(old.scope), quote(next.scope)];
    return [
      {
        texts: {
          'olm-v1': `scope changed from ${before} to ${after}`,
          crdify: `scope changed : ${before} -> ${after}`,
        },
        place: { side: 'new', keys: ['spec', 'scope'] },
      },
    ];
  },
});
