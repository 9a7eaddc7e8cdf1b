/** Reviews OLM's own objects by the rules of their kind. */
import { InvalidInputError, isObject, type JsonObject } from '../../text/documents/index.js';
import type { Family, Finding } from '../../finding.js';
import { judgeOlmObject, type OlmAnswer, type OlmQuestion } from '../../check/olm-object.js';
import { metadataText } from '../../facts/olm-state/object-store.js';
import type { OlmState } from '../../facts/olm-state/olm-state.js';
import type { OlmKind } from '../../rules/olm/rule.js';
import { extensionResolution } from '../../rules/olm/extension-outcome-rules.js';
import { touchesOnlyAnnotations } from '../../check/guarantees.js';
import type { Policy } from '../../check/policy.js';
import type { AdmissionRequest } from './admission-review.js';
import { compareElsewhere } from './custom-resource-definition.js';
import { storedByPlan } from './plan-objects.js';
import type { Assessment, ReviewContext, Reviewer } from './reviewer.js';
import { StoredScans } from './stored-scan.js';

const classic = 'operators.coreos.com';
const resources: readonly (readonly [OlmKind, group: string, resource: string, Family])[] = [
  ['OperatorGroup', classic, 'operatorgroups', 'operator-groups'],
  ['ClusterServiceVersion', classic, 'clusterserviceversions', 'operator-groups'],
  ['Subscription', classic, 'subscriptions', 'resolution'],
  ['InstallPlan', classic, 'installplans', 'install-plans'],
  ['CatalogSource', classic, 'catalogsources', 'catalogs'],
  ['ClusterExtension', 'olm.operatorframework.io', 'clusterextensions', 'catalogs'],
  ['ClusterVersion', 'config.openshift.io', 'clusterversions', 'catalogs'],
];

const nobody: ReadonlySet<string> = new Set();

/** One reviewer per kind, all over one state. */
export function olmReviewers(state: OlmState, scans = new StoredScans()): Reviewer[] {
  return resources.map(([kind, group, resource, family]) => ({
    group,
    resource,
    family,
    // OLM writes the steps of a plan, approved already or not, into its status.
    reviewsStatus: kind === 'InstallPlan',
    assess: (request, context) => assess({ kind, state, scans }, request, context),
  }));
}

interface Subject {
  readonly kind: OlmKind;
  readonly state: OlmState;
  readonly scans: StoredScans;
}

async function assess(
  { kind, state, scans }: Subject,
  request: AdmissionRequest,
  context: ReviewContext,
): Promise<Assessment | undefined> {
  const question = questionOf(kind, request);
  if (question === undefined) return undefined;
  const { policy } = context;
  const judge = (asked: OlmQuestion): Promise<OlmAnswer> =>
    judgeOlmObject(state, asked, {
      purpose: 'review',
      profile: policy.profile,
      compareElsewhere: (current, next) => compareElsewhere(current, next, context),
    });
  const { findings: byRule, unchecked, compared } = await judge(question);
  const updates = compared.map(({ current, next }) => ({
    name: metadataText(current, 'name'),
    old: current,
    next,
  }));
  const findings = [...byRule, ...(await storedByPlan(updates, context, scans))];
  const { oldObject } = question;
  const neverDenied = trustedReason(question, request.userInfo?.username, policy);
  const namespace = metadataText(question.object, 'namespace');
  const place = namespace === '' ? '' : `${namespace}/`;
  const title = `${kind} ${place}${metadataText(question.object, 'name')}`;
  const resolution = findings.find(({ rule }) => rule === extensionResolution.name);
  return {
    findings,
    unchecked,
    previous: async () => {
      if (oldObject === null) return [];
      const before = await judge({ kind, request: 'UPDATE', object: oldObject, oldObject });
      return before.findings;
    },
    groups: [request.resource.group],
    message: (denied) => `${title} was refused by olm-guard:\n${denied.map(line).join('\n')}`,
    ...(resolution === undefined ? {} : { notes: { 'resolves-to': resolution.message } }),
    refusedByKubernetes: nobody,
    command: kind === 'OperatorGroup' ? 'olm-guard check operatorgroup FILE' : 'olm-guard scan',
    ...(neverDenied === undefined ? {} : { neverDenied }),
  };
}

/** @throws InvalidInputError when the review lacks an object that its operation has */
function questionOf(kind: OlmKind, request: AdmissionRequest): OlmQuestion | undefined {
  const { operation } = request;
  if (operation === 'CONNECT') return undefined;
  const oldObject =
    operation === 'CREATE' ? null : placed(request.oldObject, 'request.oldObject', request);
  const object =
    operation === 'DELETE' && oldObject !== null
      ? oldObject
      : placed(request.object, 'request.object', request);
  return { kind, request: operation, object, oldObject };
}

/** Names and namespaces of the request fill in what the object leaves out. */
function placed(
  object: JsonObject | null | undefined,
  path: string,
  { operation, namespace }: AdmissionRequest,
): JsonObject {
  if (object === null || object === undefined) {
    const what = operation === 'DELETE' ? 'a deletion' : operation.toLowerCase();
    throw new InvalidInputError('E_INPUT', `is missing from the review of ${what}`, { path });
  }
  if (namespace === undefined || metadataText(object, 'namespace') !== '') return object;
  const { metadata } = object;
  return { ...object, metadata: { ...(isObject(metadata) ? metadata : {}), namespace } };
}

/** OLM writes annotations as it works, and runs plans that an admin let it approve. */
function trustedReason(
  { kind, object, oldObject }: OlmQuestion,
  user: string | undefined,
  policy: Policy,
): string | undefined {
  if (user === undefined || !policy.trusted.olmServiceAccounts.includes(user)) return undefined;
  if (kind === 'InstallPlan') return 'OLM itself writes this InstallPlan';
  if (oldObject !== null && touchesOnlyAnnotations(object, oldObject)) {
    return 'OLM itself writes these annotations';
  }
  return undefined;
}

function line({ rule, message, path, fix }: Finding): string {
  const where = path === undefined ? '' : ` at ${path}`;
  return `${rule}${where}: ${message}${typeof fix === 'string' ? ` (${fix})` : ''}`;
}
