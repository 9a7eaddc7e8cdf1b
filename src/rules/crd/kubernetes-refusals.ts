/** What no profile allows: the API server refuses it by itself, and the release fails. */
import { readBoth } from '../../crd/custom-resource-definition.js';
import { Upgrade } from '../../crd/upgrade.js';
import type { ProofResult } from '../../proof/index.js';
import type { JsonValue } from '../../text/documents/index.js';
import { noScopeChange } from './no-scope-change.js';
import { noStoredVersionRemoved } from './no-stored-version-removed.js';
import { olmReference } from './olm-v1.js';
import { Report } from './report.js';
import { JudgedFindings } from '../upgrade/judged-finding.js';

export class KubernetesRefusals extends JudgedFindings {
  get results(): readonly ProofResult[] {
    return this.findings.map(({ version = '', message }) => ({
      ...{ version, path: '', effect: 'safe', audience: 'objects' },
      reason: `Kubernetes itself refuses this: ${message}`,
    }));
  }
}

/**
 * For a profile that has no rules of its own about a definition as a whole.
 *
 * @throws InvalidInputError `E_INPUT` when one of them is no v1 CustomResourceDefinition
 */
export function kubernetesRefusals(
  oldDocument: JsonValue,
  newDocument: JsonValue,
): KubernetesRefusals {
  const { old, next } = readBoth(oldDocument, newDocument);
  const report = new Report(next.name);
  for (const rule of [noScopeChange, noStoredVersionRemoved]) {
    for (const { texts, ...difference } of rule.compare(new Upgrade(old, next, olmReference))) {
      report.add({ rule: rule.id, message: texts['olm-v1'] ?? '', ...difference });
    }
  }
  return new KubernetesRefusals(report.judged);
}
