import { defineRule, type DefinitionRule } from './rule.js';
import { from } from '../source.js';
import { quote } from '../../text/go/index.js';

export const scopeRule = defineRule<DefinitionRule>({
  name: 'scope',
  kind: 'definition',
  validator: 'NoScopeChange',
  upstream: {
    'olm-v1': from.operatorController417(
      'internal/operator-controller/rukpak/preflights/crdupgradesafety/validator.go',
      'NoScopeChange',
    ),
    crdify: from.crdify('pkg/validations/crd/scope/scope.go'),
  },
  checks: 'The scope changes between Cluster and Namespaced.',
  why: 'Every stored object would be out of reach; the API server refuses the change too.',
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
