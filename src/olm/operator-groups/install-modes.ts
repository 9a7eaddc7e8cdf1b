import { allNamespaces } from './namespace-set.js';
import { formatList } from '../../text/go/index.js';

export interface InstallMode {
  readonly type: string;
  readonly supported: boolean;
}

export interface InstallModeRefusal {
  readonly stage: 'NewInstallModeSet' | 'Supports';
  readonly reason: 'InvalidInstallModes' | 'UnsupportedOperatorGroup';
  readonly message: string;
}

/**
 * Whether install modes support a set of target namespaces; null when they do. A type that is not
 * listed is unsupported: nothing is inferred from others, whatever OpenShift's documentation says. `targets` are
 * the parts of `olm.targetNamespaces` in their order, repetitions included.
 * Source: operator-framework/api NewInstallModeSet and InstallModeSet.Supports.
 */
export function checkInstallModes(
  modes: readonly InstallMode[],
  operatorNamespace: string,
  targets: readonly string[],
): InstallModeRefusal | null {
  if (new Set(modes.map((mode) => mode.type)).size < modes.length) {
    const shown = formatList(modes.map((mode) => `{${mode.type} ${mode.supported}}`));
    return {
      stage: 'NewInstallModeSet',
      reason: 'InvalidInstallModes',
      message: `InstallMode list contains duplicates, cannot make set: ${shown}`,
    };
  }
  const supported = new Set(modes.filter((mode) => mode.supported).map((mode) => mode.type));
  const message = unsupported(supported, operatorNamespace, targets);
  return message === null
    ? null
    : { stage: 'Supports', reason: 'UnsupportedOperatorGroup', message };
}

const invalidSelection = 'operatorgroup has invalid selected namespaces,';

function unsupported(
  supported: ReadonlySet<string>,
  operatorNamespace: string,
  targets: readonly string[],
): string | null {
  const [first] = targets;
  if (first === undefined) return `${invalidSelection} cannot configure to watch zero namespaces`;
  if (targets.length === 1) {
    // The own namespace is asked first, so an operator namespace "" counts as its own.
    if (first === operatorNamespace) return lacking(supported, 'OwnNamespace', 'own namespace');
    if (first === allNamespaces) return lacking(supported, 'AllNamespaces', 'all namespaces');
    return lacking(supported, 'SingleNamespace', 'one namespace');
  }
  const multi = lacking(supported, 'MultiNamespace', `${targets.length} namespaces`);
  if (multi !== null) return multi;
  for (const target of targets) {
    const own = target === operatorNamespace && lacking(supported, 'OwnNamespace', 'own namespace');
    if (typeof own === 'string') return own;
    if (target === allNamespaces) {
      return `${invalidSelection} NamespaceAll found when |selected namespaces| > 1`;
    }
  }
  return null;
}

function lacking(supported: ReadonlySet<string>, mode: string, watched: string): string | null {
  if (supported.has(mode)) return null;
  return `${mode} InstallModeType not supported, cannot configure to watch ${watched}`;
}
