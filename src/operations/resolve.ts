import { resolve, type NamespaceState } from '../resolver/index.js';
import { defineOperation } from './operation.js';
import { namespaceState } from './resolve-schema.js';

export const resolveNamespace = defineOperation<NamespaceState>({
  name: 'resolve',
  summary: 'What OLM will install, upgrade or refuse in a namespace, and why.',
  input: namespaceState,
  judge(state) {
    const { outcome } = resolve(state);
    return { allowed: outcome.ok, findings: [], output: outcome };
  },
});
