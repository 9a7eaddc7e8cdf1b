/** What no profile allows: the API server refuses it by itself, and the release fails. */
import { readCustomResourceDefinition } from '../../crd/custom-resource-definition.js';
import type { Location } from '../../crd/place.js';
import { Upgrade } from '../../crd/upgrade.js';
import type { Finding } from '../../finding.js';
import type { ProofResult } from '../../proof/index.js';
import type { JsonValue } from '../../text/documents/index.js';
import { noScopeChange } from './no-scope-change.js';
import { noStoredVersionRemoved } from './no-stored-version-removed.js';
import { olmReference } from './olm-v1.js';
import { Report } from './report.js';

export interface KubernetesRefusals {
  readonly findings: readonly Finding[];
  readonly results: readonly ProofResult[];
  readonly locate: (finding: Finding) => Location | undefined;
}

/**
 * For a profile that has no rules of its own about a definition as a whole.
 *
 * @throws InvalidInputError `E_INPUT` when one of them is no v1 CustomResourceDefinition
 */
export function kubernetesRefusals(old: JsonValue, next: JsonValue): KubernetesRefusals {
  const before = readCustomResourceDefinition(old, { path: '$.old' });
  const after = readCustomResourceDefinition(next, { path: '$.new' });
  const report = new Report(after.name);
  for (const rule of [noScopeChange, noStoredVersionRemoved]) {
    for (const { texts, ...difference } of rule.compare(new Upgrade(before, after, olmReference))) {
      report.add({ rule: rule.id, message: texts['olm-v1'] ?? '', ...difference });
    }
  }
  return {
    findings: report.findings,
    results: report.findings.map(({ version = '', message }) => ({
      ...{ version, path: '', effect: 'safe', audience: 'objects' },
      reason: `Kubernetes itself refuses this: ${message}`,
    })),
    locate: report.locate,
  };
}
