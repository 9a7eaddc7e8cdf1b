/** Whether OLM would still resolve a namespace: asked of the thread that holds the catalogs' index. */
import type { Finding } from '../../rule/index.js';
import {
  explain,
  findingsOf,
  type LoadedCatalogs,
  type NamespaceState,
  resolve,
} from '../../olm/index.js';

/** A namespace without and with what a request asks for; the catalogs in it are not looked at. */
export interface ResolutionQuestion {
  readonly before: NamespaceState;
  readonly after: NamespaceState;
}

export interface ResolutionAnswer {
  readonly outcome: 'succeeded' | 'failed';
  /** Time that resolving `after` took. */
  readonly seconds: number;
  /** Why `after` is not resolved; none when `before` was not either. */
  readonly findings: readonly Finding[];
}

/** A gate that answers in time rather than always: real namespaces need a handful of conflicts. */
const budget = 2_000;

export function answerResolution(
  { before, after }: ResolutionQuestion,
  loaded: LoadedCatalogs,
): ResolutionAnswer {
  const begin = performance.now();
  const resolution = resolve(after, loaded, { budget });
  const seconds = (performance.now() - begin) / 1000;
  if (resolution.outcome.ok) return { outcome: 'succeeded', seconds, findings: [] };
  const stoodStill = !resolve(before, loaded, { budget }).outcome.ok;
  const findings = stoodStill
    ? []
    : findingsOf(after, resolution, explain(after, resolution, loaded));
  return { outcome: 'failed', seconds, findings };
}
