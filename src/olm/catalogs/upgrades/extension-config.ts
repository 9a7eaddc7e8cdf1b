/** Rule: operator-controller v1.11.0 RegistryV1ManifestProvider.Get and config.UnmarshalConfig. */
import { isObject, type JsonValue } from '../../../text/documents/index.js';
import type { BundleInstallation } from '../catalog.js';
import { formatVersion } from '../../../text/versions/index.js';
import type { VersionRelease } from './release.js';
import { quote, runeCount } from '../../../text/go/index.js';
import {
  decodeProblem,
  deploymentProblems,
  grouped,
  hiddenIn,
  linesOf,
  type Problem,
  ungrouped,
  unknownField,
  wrongType,
} from './deployment-config.js';

export interface InstallRequest {
  readonly namespace: string;
  /** Only with the experimental definition, and the gates SingleOwnNamespaceInstallSupport and DeploymentConfig. */
  readonly config?: JsonValue | undefined;
}

/** operator-controller's text for what it refuses before it looks into the manifests. */
export function installRefusal(
  { modes, ownsApiServices }: BundleInstallation,
  { namespace, config }: InstallRequest,
): string | undefined {
  if (ownsApiServices) return 'unsupported bundle: apiServiceDefintions are not supported';
  if (config === undefined) {
    return modes.includes('AllNamespaces')
      ? undefined
      : 'unsupported bundle: bundle does not support AllNamespaces install mode';
  }
  if (!['AllNamespaces', 'SingleNamespace', 'OwnNamespace'].some((mode) => modes.includes(mode))) {
    return 'unsupported bundle: bundle must support at least one of [AllNamespaces SingleNamespace OwnNamespace] install modes';
  }
  const problems = linesOf(ungrouped(rootProblems(config, modes, namespace)));
  if (problems.length === 0) {
    const { deploymentConfig = null } = isObject(config) ? config : {};
    const problem = decodeProblem(deploymentConfig);
    return problem === undefined ? undefined : `invalid deploymentConfig: ${problem}`;
  }
  const [first] = problems;
  const said =
    problems.length === 1 ? first : ['multiple errors found:', ...problems].join('\n  - ');
  return `invalid ClusterExtension configuration: invalid configuration: ${said}`;
}

/** Where the configuration is wrong, as far as operator-controller's text does not say it. */
export function hiddenMistakes(config: JsonValue | undefined): readonly string[] {
  const { deploymentConfig } = config !== undefined && isObject(config) ? config : {};
  return deploymentConfig === undefined ? [] : hiddenIn(deploymentProblems(deploymentConfig));
}

export function chosenRefusal(
  name: string,
  { version }: VersionRelease,
  installation: BundleInstallation | undefined,
  request: InstallRequest,
): string | undefined {
  const refusal = installation && installRefusal(installation, request);
  if (refusal === undefined) return undefined;
  return `error for resolved bundle ${quote(name)} with version ${quote(formatVersion(version))}: ${refusal}`;
}

function rootProblems(
  config: JsonValue,
  modes: readonly string[],
  namespace: string,
): readonly Problem[] {
  if (!isObject(config)) return [wrongType(config, 'object', [])];
  const ofMode = watchNamespaceOf(modes, namespace);
  const { deploymentConfig, watchNamespace } = config;
  const isMissing = ofMode?.isRequired === true && watchNamespace === undefined;
  const known = ['deploymentConfig', ...(ofMode === undefined ? [] : ['watchNamespace'])];
  return [
    ...(isMissing ? [{ said: 'required field "watchNamespace" is missing' }] : []),
    ...grouped(deploymentConfig === undefined ? [] : deploymentProblems(deploymentConfig)),
    ...(ofMode === undefined || watchNamespace === undefined
      ? []
      : grouped(ofMode.problems(watchNamespace))),
    ...unknownField(config, known),
  ];
}

const longest = 63;
const pattern = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;

/** Undefined where the operator always watches everything: the field is an unknown one. */
function watchNamespaceOf(modes: readonly string[], namespace: string) {
  const [isOwn, isSingle] = [modes.includes('OwnNamespace'), modes.includes('SingleNamespace')];
  if (!isOwn && !isSingle) return undefined;
  const isRequired = !modes.includes('AllNamespaces');
  const ofText = (value: JsonValue): readonly Problem[] => {
    if (typeof value !== 'string') return [wrongType(value, 'string', ['watchNamespace'])];
    const format =
      isOwn && isSingle ? undefined : formatProblem(value, namespace, isOwn ? 'own' : 'single');
    return (format === undefined ? textProblems(value) : [format]).map((said) => ({ said }));
  };
  return {
    isRequired,
    problems(value: JsonValue): readonly Problem[] {
      if (isRequired) return ofText(value);
      const problems = value === null ? [] : ofText(value);
      if (problems.length === 0) return [];
      const below = [wrongType(value, 'null', ['watchNamespace']), ...grouped(problems)];
      return [{ said: 'invalid value for field "watchNamespace"', below }];
    },
  };
}

function formatProblem(
  value: string,
  namespace: string,
  mode: 'own' | 'single',
): string | undefined {
  if (namespace === '' || (value === namespace) === (mode === 'own')) return undefined;
  const must =
    mode === 'own'
      ? `must be ${quote(namespace)} (the namespace where the operator is installed) because this operator only supports OwnNamespace install mode`
      : `must be different from ${quote(namespace)} (the install namespace) because this operator uses SingleNamespace install mode to watch a different namespace`;
  return `invalid format for field "watchNamespace": '${value}' is not valid ${mode}NamespaceInstallMode: invalid value ${quote(value)}: ${must}`;
}

function textProblems(value: string): string[] {
  const length = runeCount(value);
  const problems: string[] = [];
  if (length < 1) {
    problems.push(`field "watchNamespace" must have minimum length of 1 (len=${length})`);
  }
  if (length > longest) {
    problems.push(`field "watchNamespace" must have maximum length of ${longest} (len=${length})`);
  }
  if (!pattern.test(value)) {
    problems.push(`field "watchNamespace" must match pattern ${quote(pattern.source)}`);
  }
  return problems;
}
