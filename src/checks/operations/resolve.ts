import {
  explain,
  findingsOf,
  loadCatalogs,
  type NamespaceState,
  resolve,
} from '../../olm/index.js';
import { defineOperation } from './operation.js';
import { namespaceState } from './resolve-schema.js';

export const resolveNamespace = defineOperation<NamespaceState>({
  name: 'resolve',
  summary: 'What OLM will install, upgrade or refuse in a namespace, and why.',
  input: namespaceState,
  judge(state) {
    const loaded = loadCatalogs(state.catalogs ?? [], state.semantics ?? 'olm');
    const resolution = resolve(state, loaded);
    const explanation = explain(state, resolution, loaded);
    const { outcome } = resolution;
    return {
      allowed: outcome.ok,
      findings: findingsOf(state, resolution, explanation),
      output: { ...outcome, explanation },
    };
  },
});
