/** Changes that no profile allows: the API server refuses them by itself, and the release fails. */
import { isObject, own, sameJson, type JsonObject } from '../../../text/documents/index.js';
import type { Upgrade } from '../../crd/upgrade.js';
import type { ProofResult } from '../../proof/index.js';
import { noScopeChange, noStoredVersionRemoved } from './definitions.js';
import { Report } from './report.js';
import type { Finding } from '../../../rule/index.js';

/** Whether an upgrade changes nothing by which objects are read or written: then no proof is needed. */
export function hasSameObjectSemantics(old: JsonObject, next: JsonObject): boolean {
  const [was, is] = [own(old, 'spec'), own(next, 'spec')];
  return (
    isObject(was) &&
    isObject(is) &&
    ['versions', 'conversion', 'preserveUnknownFields'].every((field) =>
      sameJson(own(was, field), own(is, field)),
    )
  );
}

export interface KubernetesRefusals {
  readonly findings: readonly Finding[];
  readonly results: readonly ProofResult[];
}

export function kubernetesRefusals(upgrade: Upgrade): KubernetesRefusals {
  const report = new Report(upgrade.next.name);
  for (const rule of [noScopeChange, noStoredVersionRemoved]) {
    for (const { texts, ...difference } of rule.compare(upgrade)) {
      report.add({ rule: rule.id, message: texts['olm-v1'] ?? '', ...difference });
    }
  }
  const { findings } = report;
  const results = findings.map(({ version = '', message }): ProofResult => {
    const reason = `Kubernetes itself refuses this: ${message}`;
    return { version, path: '', effect: 'safe', audience: 'objects', reason };
  });
  return { findings, results };
}
