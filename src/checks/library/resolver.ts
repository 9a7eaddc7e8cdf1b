/**
 * `import { resolveNamespace } from 'olm-guard/resolver'`: what OLM classic does in a namespace.
 *
 * @module olm-guard/resolver
 */
import { resolveNamespace as operation } from '../operations/resolve.js';
import { answerOf } from './answer-of.js';
import type { Answer } from './answers.js';

export type * from './answers.js';

/** The part of the cluster that OLM reads, in the form of the operation `resolve` (docs/openapi.json). */
export interface NamespaceQuestion {
  readonly namespace: string;
  /** Whose catalogs every namespace sees. */
  readonly globalCatalogNamespace: string;
  readonly operatorGroups?: readonly object[];
  readonly subscriptions?: readonly object[];
  readonly installedCSVs?: readonly object[];
  readonly catalogs?: readonly object[];
  /** Constraints as OLM reads them, or as OpenShift's documentation describes them. Default: `olm`. */
  readonly semantics?: 'olm' | 'documents';
}

/** Resolves what OLM will install, upgrade or refuse, with the explanation in `output`. */
export function resolveNamespace(question: NamespaceQuestion): Answer {
  return answerOf(operation, question);
}
