/**
 * Whether OLM v1 installs a bundle of registry+v1 with the configuration of a ClusterExtension. Rule:
 * operator-controller's RegistryV1ManifestProvider.Get and config.UnmarshalConfig, v1.11.0.
 */
import { isObject, type JsonObject, type JsonValue } from '../../../text/documents/index.js';
import type { BundleInstallation } from '../catalog.js';
import { formatVersion } from '../../../text/versions/index.js';
import type { VersionRelease } from './release.js';
import { append } from '../../../text/long-lists.js';
import { compareBytes, jsonKind, quote, runeCount } from '../../../text/go/index.js';

export interface InstallRequest {
  readonly namespace: string;
  /**
   * `spec.config.inline`. A ClusterExtension has it only where the experimental definition is installed,
   * and with it the feature gates SingleOwnNamespaceInstallSupport and DeploymentConfig.
   */
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
  const problems = flattened(rootProblems(config, modes, namespace));
  if (problems.length === 0) return undefined;
  const [first] = problems;
  const said =
    problems.length === 1 ? first : ['multiple errors found:', ...problems].join('\n  - ');
  return `invalid ClusterExtension configuration: invalid configuration: ${said}`;
}

/** The same as a condition of the ClusterExtension has it, of a bundle in a catalog. */
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

/** A sentence, or those about the inside of a value. */
type Problem = string | readonly Problem[];

/** Its library has a line of its own above several problems of one value, unless that is the only one. */
function flattened(problems: readonly Problem[]): string[] {
  const [only] = problems;
  if (problems.length === 1 && typeof only === 'object') return flattened(only);
  return problems.flatMap((problem) => {
    if (typeof problem === 'string') return [problem];
    return problem.length === 1 ? flattened(problem) : ['validation failed', ...flattened(problem)];
  });
}

function rootProblems(config: JsonValue, modes: readonly string[], namespace: string): Problem[] {
  if (!isObject(config)) return [`invalid type: ${mismatch(config, 'object')}`];
  const ofMode = watchNamespaceOf(modes, namespace);
  const problems: Problem[] = [];
  if (ofMode?.isRequired === true && config['watchNamespace'] === undefined) {
    problems.push('required field "watchNamespace" is missing');
  }
  const { deploymentConfig, watchNamespace } = config;
  if (deploymentConfig !== undefined) {
    append(problems, grouped(deploymentProblems(deploymentConfig)));
  }
  if (ofMode !== undefined && watchNamespace !== undefined) {
    append(problems, ofMode.problems(watchNamespace));
  }
  const known = ['deploymentConfig', ...(ofMode === undefined ? [] : ['watchNamespace'])];
  return [...problems, ...unknownField(config, known)];
}

/** What is wrong with one value, as one problem. */
function grouped(problems: readonly Problem[]): Problem[] {
  return problems.length === 0 ? [] : [problems];
}

/** Only the first is named. */
function unknownField(object: JsonObject, known: readonly string[]): string[] {
  const [first] = Object.keys(object)
    .filter((key) => !known.includes(key))
    .sort(compareBytes);
  return first === undefined ? [] : [`unknown field ${quote(first)}`];
}

const longest = 63;
const pattern = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;

/** Undefined where the operator always watches everything: the field is an unknown one. */
function watchNamespaceOf(modes: readonly string[], namespace: string) {
  const [isOwn, isSingle] = [modes.includes('OwnNamespace'), modes.includes('SingleNamespace')];
  if (!isOwn && !isSingle) return undefined;
  const isRequired = !modes.includes('AllNamespaces');
  const ofText = (value: JsonValue): string[] => {
    if (value === null && isRequired) return ['required field "watchNamespace" is missing'];
    if (typeof value !== 'string') {
      return [`invalid type for field "watchNamespace": ${mismatch(value, 'string')}`];
    }
    const format =
      isOwn && isSingle ? undefined : formatProblem(value, namespace, isOwn ? 'own' : 'single');
    return format === undefined ? textProblems(value) : [format];
  };
  return {
    isRequired,
    problems(value: JsonValue): Problem[] {
      if (isRequired) return grouped(ofText(value));
      const problems = value === null ? [] : ofText(value);
      if (problems.length === 0) return [];
      return [
        'invalid value for field "watchNamespace"',
        `invalid type for field "watchNamespace": ${mismatch(value, 'null')}`,
        ...grouped(problems),
      ];
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

const deploymentFields: ReadonlyMap<string, 'object' | 'array'> = new Map([
  ...['affinity', 'annotations', 'nodeSelector', 'resources'].map(
    (key) => [key, 'object'] as const,
  ),
  ...['env', 'envFrom', 'tolerations', 'volumeMounts', 'volumes'].map(
    (key) => [key, 'array'] as const,
  ),
]);
const mapsOfText = ['annotations', 'nodeSelector'];
/** What is wrong with a value of a referenced type is not told. */
const referenced = ['affinity', 'resources'];

/** Fields of a Deployment's pods, as far as their names and types; OLM v1 also looks inside. */
function deploymentProblems(value: JsonValue): Problem[] {
  if (value === null) return ['required field "deploymentConfig" is missing'];
  const at = 'deploymentConfig';
  if (!isObject(value)) return [`invalid type for field "${at}": ${mismatch(value, 'object')}`];
  const problems: Problem[] = [];
  for (const key of [...deploymentFields.keys()].sort(compareBytes)) {
    const [inner, type] = [value[key], deploymentFields.get(key)];
    if (inner === undefined || type === undefined) continue;
    if (referenced.includes(key) && jsonKind(inner) !== type) {
      problems.push('validation failed');
    } else if (inner === null) {
      problems.push(`required field "${at}.${key}" is missing`);
    } else if (jsonKind(inner) !== type) {
      problems.push(`invalid type for field "${at}.${key}": ${mismatch(inner, type)}`);
    } else if (mapsOfText.includes(key) && isObject(inner)) {
      append(problems, grouped(textMapProblems(inner, `${at}.${key}`)));
    }
  }
  return [...problems, ...unknownField(value, [...deploymentFields.keys()])];
}

function textMapProblems(map: JsonObject, at: string): Problem[] {
  return Object.keys(map)
    .sort(compareBytes)
    .flatMap((key) => {
      const value = map[key] ?? null;
      if (typeof value === 'string') return [];
      if (value === null) return [`required field "${at}.${key}" is missing`];
      return [`invalid type for field "${at}.${key}": ${mismatch(value, 'string')}`];
    });
}

/** Its types are JSON Schema's. */
function mismatch(value: JsonValue, want: string): string {
  const kind = jsonKind(value);
  return `got ${kind === 'bool' ? 'boolean' : kind}, want ${want}`;
}
