/** Reviews OLM's own objects by the rules of their kind. */
import {
  invalidInput,
  inNamespace,
  isObject,
  metaOf,
  stringifyJson,
  type JsonObject,
} from '../../text/documents/index.js';
import type { Family, Finding } from '../../rule/index.js';
import { judgeOlmObject, type OlmAnswer, type OlmQuestion } from '../../checks/index.js';
import {
  clusterExtensionResolution,
  copiedFromLabel,
  installPlanUnchecked,
  isApproved,
  isMarkedAsCopy,
  lastApplied,
  type OlmKind,
  olmRules,
  readCsv,
} from '../../olm/index.js';
import {
  type JudgedState,
  type OlmState,
  RecentWrites,
  lookedUpResources,
  keyInBundle,
  type AskedKind,
  type WantedInBundle,
  formatResource,
} from '../../cluster/index.js';
import { type Policy, isDeletedByWrite, touchesOnlyAnnotations } from '../../policy/index.js';
import type { AdmissionRequest } from './admission-review.js';
import { manifestElsewhere, judgePlanned, type PlanJudges } from './plan-objects.js';
import { UpdateLadder, type DefinitionUpdate } from './update-ladder.js';
import { DefinitionConsumers } from './definition-consumers.js';
import type { Disclosure } from './disclosure.js';
import { textOf, withholdNames } from './without-names.js';
import {
  filterByAccess,
  readKinds,
  emptyState,
  type MayRead,
  type ReadKind,
} from './visible-state.js';
import { UnfinishedError, type AssessContext, type Assessment, type Reviewer } from './reviewer.js';
import { shellCommand } from '../../text/shell-command.js';
import { StoredScans } from './stored-scan.js';
import { wholeTurn } from './turns.js';

const classic = 'operators.coreos.com';
const resources: readonly (readonly [OlmKind, group: string, resource: string, Family])[] = [
  ['OperatorGroup', classic, 'operatorgroups', 'operator-groups'],
  ['ClusterServiceVersion', classic, 'clusterserviceversions', 'operator-groups'],
  ['Subscription', classic, 'subscriptions', 'catalogs'],
  ['InstallPlan', classic, 'installplans', 'install-plans'],
  ['CatalogSource', classic, 'catalogsources', 'catalogs'],
  ['ClusterExtension', 'olm.operatorframework.io', 'clusterextensions', 'catalogs'],
  ['ClusterVersion', 'config.openshift.io', 'clusterversions', 'resolution'],
];

/** One reviewer per kind, all over one state. */
export function olmReviewers(
  state: OlmState,
  scans = new StoredScans(),
  consumers = new DefinitionConsumers(state),
): Reviewer[] {
  const recent = new RecentWrites(state);
  return resources.map(([kind, group, resource, family]) => ({
    group,
    resource,
    family,
    groupsOf: () => [group],
    // OLM writes the steps of a plan, approved already or not, into its status.
    reviewsStatus: () => kind === 'InstallPlan',
    assess: (request, context) =>
      assess({ kind, state, scans, consumers, recent }, request, context),
  }));
}

interface Subject extends PlanJudges {
  readonly kind: OlmKind;
  readonly recent: RecentWrites;
}

async function assess(
  { kind, recent, ...judges }: Subject,
  request: AdmissionRequest,
  context: AssessContext,
): Promise<Assessment | undefined> {
  const { policy } = context;
  const { state } = judges;
  const user = request.userInfo?.username ?? '';
  const asked = questionOf(kind, request);
  if (asked === undefined) return undefined;
  const question = { ...asked, isByOlm: policy.trusted.olmServiceAccounts.includes(user) };
  const standing = await context.standing();
  const visible = standing.withheld === undefined ? state : emptyState(standing.withheld);
  // Slow steps run once, also when the findings are put in others' words.
  const compare = once((old: JsonObject, next: JsonObject) =>
    compareInTime({ old, next }, context),
  );
  const unpack = once((configMap: JsonObject, wanted: WantedInBundle) =>
    manifestElsewhere(configMap, wanted, context),
  );
  const judge = async (
    asked: OlmQuestion,
    known: JudgedState = visible,
    rule?: string,
  ): Promise<OlmAnswer> => {
    const answer = await judgeOlmObject(known, asked, {
      purpose: 'review',
      policy,
      rule,
      signal: context.signal,
      compareInWorker: async (old, next) => {
        const key = `${metaOf(old).name} ${stringifyJson(next)}`;
        return (await compare(key, old, next)).findings;
      },
      unpackInWorker: (configMap, wanted) => unpack(keyInBundle(wanted), configMap, wanted),
    });
    return { ...answer, findings: answer.findings.map((each) => unjudgedAs(policy, each)) };
  };
  const seen = recent.version;
  const isAlone = standing.withheld !== undefined || recent.isEmpty;
  const now = await judge(question);
  const {
    findings: byRule,
    unchecked,
    compared,
  } = isAlone ? now : either(now, await judge(question, recent.over(visible)));
  const updates = compared.map(({ current, next }) => ({
    name: metaOf(current).name,
    old: current,
    next,
  }));
  const planned = await judgePlanned(updates, context, judges);
  const findings = [...byRule, ...planned.findings];
  const { oldObject } = question;
  const neverDenied = trustedReason(question);
  const namespace = metaOf(question.object).namespace;
  const place = namespace === '' ? '' : `${namespace}/`;
  const title = `${kind} ${place}${metaOf(question.object).name}`;
  const resolution = findings.find(({ rule }) => rule === clusterExtensionResolution.id);
  return {
    findings,
    unchecked: [...unchecked, ...planned.unchecked],
    previous: async () => {
      if (oldObject === null) return [];
      const before = await judge({ kind, request: 'UPDATE', object: oldObject, oldObject });
      return before.findings;
    },
    groups: [request.resource.group],
    settle: () => {
      const isSeen = recent.version === seen;
      if (isSeen && mayBeStored(request, context)) recent.add(kind, question.object);
      return isSeen;
    },
    redaction: () => redactionFor(byRule, question, { judge, state: visible, context, standing }),
    message: (denied) =>
      [`${title} was refused by olm-guard:`, ...denied.map(line), ...copyHint(question, user)].join(
        '\n',
      ),
    ...(resolution === undefined || standing.namesWithheld !== undefined
      ? {}
      : { notes: { 'resolves-to': resolution.message } }),
    command: commandFor(question),
    neverDenied,
  };
}

/** A step that could not be read was not judged: the policy says what that is worth. */
function unjudgedAs({ unjudged }: Policy, finding: Finding): Finding {
  return finding.rule === installPlanUnchecked.id && unjudged === 'deny'
    ? { ...finding, severity: 'error', fix: installPlanUnchecked.instead }
    : finding;
}

/** Storing what was allowed may yet fail: a rule that finds less by then still counts with what it finds now. */
function either(now: OlmAnswer, later: OlmAnswer): OlmAnswer {
  const known = new Set(later.findings.map(textOf));
  return {
    findings: [...later.findings, ...now.findings.filter((each) => !known.has(textOf(each)))],
    unchecked: [...new Set([...now.unchecked, ...later.unchecked])],
    compared: now.compared,
    asked: now.asked,
  };
}

/** A dry run stores nothing, nor does a review whose sender is no API server. */
function mayBeStored(
  { operation, dryRun, subResource = '' }: AdmissionRequest,
  { caller }: AssessContext,
): boolean {
  const isWrite = operation === 'CREATE' || operation === 'UPDATE';
  return isWrite && subResource === '' && dryRun !== true && caller === 'api-server';
}

/** A plan may bring hundreds: one for which no time is left is refused, as one that cannot be judged. */
async function compareInTime(
  update: DefinitionUpdate,
  context: AssessContext,
): ReturnType<UpdateLadder['judge']> {
  // Where no thread has time for them they are compared here, and others get their turns between.
  await wholeTurn();
  if (performance.now() > (context.until ?? Infinity)) {
    throw new UnfinishedError('there was no time left to compare it');
  }
  return new UpdateLadder(update, context).judge();
}

function once<Args extends unknown[], Answer>(
  ask: (...args: Args) => Promise<Answer>,
): (key: string, ...args: Args) => Promise<Answer> {
  const asked = new Map<string, Promise<Answer>>();
  return (key, ...args) => {
    const known = asked.get(key) ?? ask(...args);
    asked.set(key, known);
    return known;
  };
}

interface RedactionContext {
  readonly judge: (asked: OlmQuestion, known: JudgedState, rule?: string) => Promise<OlmAnswer>;
  readonly state: JudgedState;
  readonly context: AssessContext;
  readonly standing: Disclosure;
}

/** Leaves out what only other people's objects show. A finding decides the same for every requester. */
async function redactionFor(
  findings: readonly Finding[],
  question: OlmQuestion,
  { judge, state, context, standing }: RedactionContext,
): Promise<(finding: Finding) => Finding> {
  if (findings.length === 0) return (finding) => finding;
  const { namesWithheld, withheld } = standing;
  // They hold nothing of the cluster: a caller that may be lying about its user must not learn what that user can read.
  if (withheld !== undefined) return (finding) => finding;
  // The kinds on the way to a finding reveal no more than the finding.
  const kindsOf = async (rule: string): Promise<AskedKind[]> => [
    ...(await judge(question, state, rule)).asked,
  ];
  const namespace = metaOf(question.object).namespace;
  let local: Promise<OlmAnswer> | undefined;
  // The answer must not reveal whether something outside of the namespace exists.
  const isLocal = async (name: string): Promise<boolean> => {
    const isOfNamespace = ({ id, protects }: (typeof olmRules)[number]): boolean =>
      id === name && protects === 'own-namespace';
    if (!olmRules.some(isOfNamespace)) return false;
    const isHere: MayRead = (_, place) => namespace !== '' && place === namespace;
    local ??= judge(question, filterByAccess(state, isHere));
    const texts = new Set((await local).findings.map(textOf));
    return findings.every((each) => each.rule !== name || texts.has(textOf(each)));
  };
  if (namesWithheld !== undefined) {
    const shown = await judge(question, emptyState(namesWithheld, state));
    return withholdNames(findings, shown.findings, async (rule) => {
      const place = (await isLocal(rule)) ? `--namespace=${namespace}` : '--all-namespaces';
      const command = commandListing(await kindsOf(rule), place);
      return {
        why: namesWithheld,
        object: question.object,
        fix: `see the others, if you may list them: ${command}`,
      };
    });
  }
  const kinds = (Object.keys(readKinds) as ReadKind[]).filter(
    // Only plans have parts in them.
    (kind) => kind !== 'ConfigMap' || question.kind === 'InstallPlan',
  );
  const readable = async (kind: ReadKind, place?: string): Promise<boolean> => {
    const { may } = await context.mayRead(readKinds[kind], place);
    return may === 'unknown' ? standing.isProven : may;
  };
  const everywhere = await Promise.all(kinds.map((kind) => readable(kind)));
  if (everywhere.every(Boolean)) return (finding) => finding;
  const here = await Promise.all(
    kinds.map(async (kind, index) =>
      everywhere[index] === true || namespace === '' ? false : readable(kind, namespace),
    ),
  );
  const may: MayRead = (kind, place) => {
    const index = kinds.indexOf(kind);
    return everywhere[index] === true || (place === namespace && here[index] === true);
  };
  const shown = await judge(question, filterByAccess(state, may));
  const unreadable = new Set<AskedKind>(kinds.filter((kind) => !may(kind)));
  return withholdNames(findings, shown.findings, async (rule) => {
    const asked = (await kindsOf(rule)).filter((kind) => unreadable.has(kind));
    const named = resourcesOf(asked.length > 0 ? asked : [...unreadable]).join(', ');
    const where = (await isLocal(rule)) ? `namespace ${namespace}` : 'all namespaces';
    return {
      why: `you may not list ${named} in ${where}`,
      object: question.object,
      fix: 'ask a cluster administrator to make the same request with --dry-run=server, whose answer names what was found',
    };
  });
}

/** Shows of groups what they share: kubectl prints names and ages alone. */
function commandListing(kinds: readonly AskedKind[], place: string): string {
  const groups = kinds.filter((kind) => kind !== 'ClusterServiceVersion');
  const isOfGroups = groups.length === 1 && groups[0] === 'OperatorGroup';
  const list = `kubectl get ${resourcesOf(isOfGroups ? groups : kinds).join(',')} ${place}`;
  const columns =
    'NAMESPACE:.metadata.namespace,NAME:.metadata.name,TARGETS:.status.namespaces,APIS:.metadata.annotations.olm\\.providedAPIs';
  return isOfGroups ? `${list} --output=custom-columns='${columns}'` : list;
}

function resourcesOf(kinds: readonly AskedKind[]): string[] {
  return kinds.map((kind) => formatResource({ ...lookedUpResources, ...readKinds }[kind])).sort();
}

/** @throws InvalidInputError when the review lacks an object that its operation has */
function questionOf(kind: OlmKind, request: AdmissionRequest): OlmQuestion | undefined {
  const { operation } = request;
  if (operation === 'CONNECT') return undefined;
  const oldObject =
    operation === 'CREATE' ? null : placed(request.oldObject, 'request.oldObject', request);
  if (operation === 'DELETE' && oldObject !== null) {
    return { kind, request: 'DELETE', object: oldObject, oldObject };
  }
  const object = placed(request.object, 'request.object', request);
  return oldObject !== null && isDeletedByWrite({ object, oldObject })
    ? { kind, request: 'DELETE', object: oldObject, oldObject }
    : { kind, request: operation, object, oldObject };
}

/** Names and namespaces of the request fill in what the object leaves out. */
function placed(
  object: JsonObject | null | undefined,
  path: string,
  { operation, namespace }: AdmissionRequest,
): JsonObject {
  if (object === null || object === undefined) {
    const what = operation === 'DELETE' ? 'a deletion' : operation.toLowerCase();
    throw invalidInput(`is missing from the review of ${what}`, { path });
  }
  if (namespace === undefined || metaOf(object).namespace !== '') return object;
  return inNamespace(object, namespace);
}

/** Longer groups are named as a file: a command is one line among others. */
const longestManifest = 512;

/** The command that asks the same again, with the object where it is not stored. */
function commandFor({ kind, request, object, oldObject }: OlmQuestion): string {
  const { name, namespace } = metaOf(object);
  const place = namespace === '' ? [] : [`--namespace=${namespace}`];
  if (request === 'DELETE') {
    const shown = shellCommand('kubectl', 'delete', kind.toLowerCase(), name);
    return [shown, ...place, '--dry-run=server'].join(' ');
  }
  if (
    kind === 'InstallPlan' &&
    oldObject !== null &&
    isApproved(object) &&
    !isApproved(oldObject)
  ) {
    // Few have a plan as a file: it is approved in place.
    const shown = shellCommand('kubectl', 'patch', 'installplan', name);
    const approval = `--type=merge --patch='{"spec":{"approved":true}}' --dry-run=server`;
    return [shown, ...place, approval].join(' ');
  }
  if (kind !== 'OperatorGroup') {
    return `kubectl ${request === 'CREATE' ? 'create' : 'apply'} --dry-run=server -f FILE`;
  }
  const { apiVersion = '', metadata, spec = {} } = object;
  const { annotations } = isObject(metadata) ? metadata : {};
  const written = Object.entries(isObject(annotations) ? annotations : {}).filter(
    ([key]) => key !== lastApplied,
  );
  const named = { name, namespace, annotations: Object.fromEntries(written) };
  const manifest = stringifyJson({ apiVersion, kind, metadata: named, spec });
  const isShown = manifest.length <= longestManifest && /^[ -~]*$/.test(manifest);
  const check = 'olm-guard check operatorgroup';
  return isShown ? `${shellCommand('printf', '%s', manifest)} | ${check} -` : `${check} FILE`;
}

/** OLM writes annotations as it works, and runs plans that an admin let it approve. */
function trustedReason({ kind, object, oldObject, isByOlm }: OlmQuestion): string | undefined {
  if (isByOlm !== true) return undefined;
  if (kind === 'InstallPlan') return 'OLM itself writes this InstallPlan';
  if (oldObject !== null && touchesOnlyAnnotations(object, oldObject)) {
    return 'OLM itself writes these annotations';
  }
  return undefined;
}

/** Where OLM runs under an account that the policy does not name, its copies are taken for originals. */
function copyHint({ kind, object, isByOlm }: OlmQuestion, user: string): string[] {
  if (kind !== 'ClusterServiceVersion' || isByOlm === true || !isMarkedAsCopy(readCsv(object)))
    return [];
  return [
    `It says that it is a copy (label ${copiedFromLabel}), which only OLM makes; if ${JSON.stringify(user)} is OLM, name it in trusted.olmServiceAccounts of the policy`,
  ];
}

function line({ rule, message, path, fix }: Finding): string {
  const where = path === undefined ? '' : ` at ${path}`;
  const how = typeof fix === 'string' && !message.includes(fix) ? ` (${fix})` : '';
  return `${rule}${where}: ${message}${how}`;
}
