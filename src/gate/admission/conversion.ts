/** Fields that conversion None prunes, and a webhook's answer to a first question, once a change is in force. */
import { shareBytes } from '../../checks/index.js';
import { randomUUID } from 'node:crypto';
import {
  type ConversionAnswer as Answer,
  conversionReview,
  ClusterError,
  openConverter,
  authoritiesOf,
  findService,
  serviceOf,
  urlOf,
  type ServiceReference,
} from '../../cluster/index.js';
import {
  conversionClient,
  conversionFindings,
  conversionUnchecked,
  type Fault,
  prunedFindings,
} from '../../upgrade/index.js';
import type { Policy } from '../../policy/index.js';
import type { Finding } from '../../rule/index.js';
import { flagAt, objectsAt, textAt, valueAt } from '../../text/documents/fields.js';
import {
  InvalidInputError,
  isObject,
  own,
  sameJson,
  type JsonObject,
  type JsonValue,
} from '../../text/documents/index.js';
import { timerMilliseconds } from '../../text/timer.js';
import { subjectName, type AdmissionRequest } from './admission-review.js';
import { boundFindings } from './bound-findings.js';
import { UnfinishedError, type AssessContext, type Reviewer } from './reviewer.js';

/** The time that a review keeps for deciding and answering after the converter has answered. */
const marginMilliseconds = 500;
/** How many converters one replica asks at the same time. */
const maxAsking = 4;
/** The largest answer that is read; each answer is about two objects. */
const answerBytes = 1024 * 1024;
/** How many conversions are tried: enough for all between four versions. */
const maxPairs = 12;
const quickBytes = 128 * 1024;
/** Up to so many values times versions, comparing each version with each other one takes a few milliseconds. */
const quickValues = 5_000;

/** @param open how a converter is asked; tests connect to another address than the Service's */
export function withConversion(inner: Reviewer, open = openConverter): Reviewer {
  let asking = 0;
  return {
    ...inner,
    async assess(request, context) {
      const findings = async (): Promise<readonly Finding[]> => {
        if (!mayConvertOtherwise(request)) return [];
        if (asking >= maxAsking) return unasked('too much else is under way');
        asking++;
        try {
          return await conversion(request, context, open);
        } finally {
          asking--;
        }
      };
      // The shorter task starts first: a proof must not be stopped because a task of its own review waits.
      const [found, assessment] = await Promise.all([findings(), inner.assess(request, context)]);
      if (assessment === undefined || found.length === 0) return assessment;
      const unjudged = isUnjudgedUnasked(request, context.policy)
        ? found.filter(({ rule }) => rule === conversionUnchecked.id)
        : [];
      return {
        ...assessment,
        findings: [...assessment.findings, ...found.filter((each) => !unjudged.includes(each))],
        unchecked: [
          ...(assessment.unchecked ?? []),
          ...unjudged.map(
            ({ rule, message }) => `${rule}: ${message} (modes.${rule} in the policy)`,
          ),
        ],
        message: (denied) => {
          const theirs = denied.filter(({ family }) => family !== 'conversion');
          const ours = denied.filter(({ family }) => family === 'conversion');
          const head =
            theirs.length > 0
              ? assessment.message(theirs)
              : `CustomResourceDefinition "${subjectName(request)}" refused`;
          return [head, ...ours.map(({ message }) => message)].join('\n');
        },
      };
    },
  };
}

/** Whether the API server converts objects after the request, and perhaps differently than before. */
function mayConvertOtherwise({
  operation,
  object: next,
  oldObject: old,
}: AdmissionRequest): boolean {
  if ((operation !== 'CREATE' && operation !== 'UPDATE') || !next) return false;
  const { all, wanted } = convertedVersions(next);
  if (all.length < 2) return false;
  if (!old) return true;
  const known = convertedVersions(old).wanted;
  if (wanted.some((version) => !known.includes(version))) return true;
  // A version that is no longer served is left out of the comparison: it only means fewer conversions.
  const parts = (definition: JsonObject): JsonValue[] => [
    valueAt(definition, 'spec', 'conversion') ?? null,
    objectsAt(definition, 'spec', 'versions').map(({ served: _, ...version }) => version),
  ];
  return !sameJson(parts(old), parts(next));
}

/**
 * Whether the request counts as unjudged if its converter cannot be asked, instead of only getting a
 * warning: the author of a definition decides where the converter is, and so whether it can be asked. Not
 * for a new definition, which has no objects, nor for another CA bundle, which tools write on their own.
 */
function isUnjudgedUnasked(
  { operation, object: next, oldObject: old }: AdmissionRequest,
  { unjudged, modes }: Policy,
): boolean {
  const mode = modes.get(conversionUnchecked.id) ?? modes.get(conversionUnchecked.family);
  if (unjudged !== 'deny' || mode === 'warn' || mode === 'audit') return false;
  if (operation !== 'UPDATE' || !next || !old) return false;
  const parts = (definition: JsonObject): JsonValue[] => [
    valueAt(definition, 'spec', 'versions') ?? null,
    withoutAuthority(valueAt(definition, 'spec', 'conversion')),
  ];
  return !sameJson(parts(old), parts(next));
}

function withoutAuthority(value: JsonValue | undefined): JsonValue {
  if (!isObject(value)) return value ?? null;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== 'caBundle')
      .map(([key, each]) => [
        key,
        key === 'webhook' || key === 'clientConfig' ? withoutAuthority(each) : each,
      ]),
  );
}

async function conversion(
  request: AdmissionRequest,
  context: AssessContext,
  open: typeof openConverter,
): Promise<readonly Finding[]> {
  const { policy } = context;
  const next = request.object ?? {};
  const client = conversionClient(next);
  try {
    if (client === undefined) {
      if (isQuick(request, context)) return prunedHere(request);
      const { findings } = await askThread('conversion-pruned', request, context);
      return findings;
    }
    if (policy.budgets.conversionSeconds <= 0) return [];
    return await askConverter(client, request, context, open);
  } catch (error) {
    if (error instanceof UnfinishedError) return unasked(error.message);
    if (!(error instanceof ClusterError)) throw error;
    return unasked(
      error.isForbidden
        ? 'no right to get services and to list endpointslices.discovery.k8s.io'
        : error.message,
    );
  }
}

function isQuick({ object, oldObject }: AdmissionRequest, { body }: AssessContext): boolean {
  if (body === undefined) return false;
  const countOf = (each: JsonObject | null | undefined): number =>
    objectsAt(each ?? {}, 'spec', 'versions').length;
  return body.values * Math.max(countOf(object), countOf(oldObject)) <= quickValues;
}

/** @throws UnfinishedError for a definition that cannot be judged, which its reviewer reports */
function prunedHere({ object, oldObject }: AdmissionRequest): readonly Finding[] {
  // One version is converted to none other.
  if (objectsAt(object ?? {}, 'spec', 'versions').length < 2) return [];
  try {
    return boundFindings(prunedFindings(oldObject ?? undefined, object ?? {}));
  } catch (error) {
    if (error instanceof InvalidInputError) throw new UnfinishedError(error.message);
    throw error;
  }
}

/**
 * A definition says where the gate connects to: only to the cluster address of a Service that is
 * there, only for an API server's review, and only for a user who may look at that Service anyway.
 * Nothing of what the converter answers is shown.
 */
async function askConverter(
  client: JsonObject,
  request: AdmissionRequest,
  context: AssessContext,
  open: typeof openConverter,
): Promise<readonly Finding[]> {
  const service = serviceOf(client);
  if (service === undefined)
    return unasked('it is named by a url, or by a Service that no API server would ask');
  const authorities = authoritiesOf(client);
  if ('unusable' in authorities) return unasked(authorities.unusable);
  if (context.caller !== 'api-server') {
    return unasked('the review came without the client certificate of an API server');
  }
  if (context.isHurried === true) return unasked('too much else is under way');
  const { may, why } = await context.mayRead(
    { group: '', resource: 'services' },
    service.namespace,
  );
  if (may !== true) return unasked(why);
  const left = (context.until ?? Infinity) - performance.now() - marginMilliseconds;
  const time = Math.min(timerMilliseconds(context.policy.budgets.conversionSeconds), left);
  if (time <= 0) return unasked('there was no time left');
  const end = performance.now() + time;
  const late = AbortSignal.timeout(Math.ceil(time));
  const signals = context.signal === undefined ? [late] : [late, context.signal];
  const signal = AbortSignal.any(signals);
  const found = await findService(context.view, service, signal);
  if ('unasked' in found) return unasked(found.unasked);
  if ('missing' in found) {
    const [from = '', to = ''] = convertedVersions(request.object ?? {}).all;
    return conversionFindings([
      { clause: 'unreachable', from, to, detail: found.missing, count: 1 },
    ]);
  }
  const { output } = await askThread('conversion-objects', request, context);
  const converter = open(
    { url: urlOf(service), address: found.address, authorities: authorities.certificates },
    { milliseconds: Math.ceil(end - performance.now()), answerBytes, signal },
  );
  try {
    const { answers, why } = await answersOf(converter.convert, request, output, end);
    const seen = await judgeAnswers(answers, request, context, service);
    return why === undefined ? seen : [...seen, ...unasked(why)];
  } finally {
    converter.close();
  }
}

interface Answered {
  readonly from: string;
  readonly to: string;
  readonly uid: string;
  readonly objects: JsonValue[];
  readonly answer: Answer;
}

/** One review for each two versions, until something fails that fails for the others too. */
async function answersOf(
  convert: (review: JsonObject) => Promise<Answer>,
  request: AdmissionRequest,
  samples: JsonObject,
  end: number,
): Promise<{ readonly answers: readonly Answered[]; readonly why?: string }> {
  const next = request.object ?? {};
  const group = textAt(next, 'spec', 'group') ?? '';
  const { all, wanted } = convertedVersions(next);
  const pairs = all.flatMap((from) =>
    wanted.filter((to) => to !== from).map((to) => ({ from, to })),
  );
  const answers: Answered[] = [];
  for (const { from, to } of pairs.slice(0, maxPairs)) {
    const objects = objectsAt(samples, from);
    if (objects.length === 0) return { answers, why: `no object of ${from} could be made` };
    if (performance.now() >= end) return { answers, why: `there was no time for ${from} to ${to}` };
    const uid = randomUUID();
    const answer = await convert(conversionReview(uid, objects, `${group}/${to}`));
    if ('failure' in answer && answer.failure.clause === 'unreachable') {
      // ECONNREFUSED comes from the Service itself; any other error may come from between it and the gate.
      const isRefused = answer.failure.reason.includes('ECONNREFUSED');
      if (!isRefused) return { answers, why: 'it cannot be reached from the gate' };
    }
    answers.push({ from, to, uid, objects, answer });
    if ('failure' in answer && answer.failure.clause !== 'status') return { answers };
  }
  return pairs.length > maxPairs
    ? { answers, why: `of ${pairs.length} conversions ${maxPairs} were tried` }
    : { answers };
}

async function judgeAnswers(
  answers: readonly Answered[],
  request: AdmissionRequest,
  context: AssessContext,
  { namespace, name }: ServiceReference,
): Promise<readonly Finding[]> {
  if (answers.length === 0) return [];
  const { output } = await askThread('conversion-answers', request, context, {
    answers: answers as unknown as JsonValue,
  });
  const faults = own(output, 'faults') as unknown as readonly Fault[];
  return conversionFindings(faults, { isDisclosed: false }).map((finding) => ({
    ...finding,
    message: `${finding.message} (Service ${namespace}/${name})`,
  }));
}

interface HeavyAnswer {
  readonly findings: readonly Finding[];
  readonly output: JsonObject;
}

/** @throws UnfinishedError, also for a definition that cannot be judged, which its reviewer reports */
export async function askThread(
  question: string,
  { object, oldObject }: Pick<AdmissionRequest, 'object' | 'oldObject'>,
  { judge, body }: Pick<AssessContext, 'judge' | 'body'>,
  more: JsonObject = {},
): Promise<HeavyAnswer> {
  const answer =
    body === undefined || body.bytes.length <= quickBytes
      ? await judge(question, { ...more, old: oldObject ?? null, new: object ?? {} })
      : await judge(question, more, { unread: { review: shareBytes(body) } });
  const [verdict, output] = [own(answer, 'verdict'), own(answer, 'output')];
  if (isObject(verdict) && isObject(output)) {
    return { findings: own(verdict, 'findings') as unknown as readonly Finding[], output };
  }
  throw new UnfinishedError(textAt(answer, 'error', 'message') ?? 'it cannot be judged');
}

function unasked(detail: string): readonly Finding[] {
  return conversionFindings([{ clause: 'unasked', from: '', to: '', detail, count: 1 }]);
}

/** API servers convert to `wanted` (served or stored) from `all`, which has versions of old objects too. */
function convertedVersions(definition: JsonObject): {
  readonly all: readonly string[];
  readonly wanted: readonly string[];
} {
  const stored = valueAt(definition, 'status', 'storedVersions');
  const wanted: string[] = [];
  const all = objectsAt(definition, 'spec', 'versions').flatMap((version): string[] => {
    const name = textAt(version, 'name') ?? '';
    const isWanted = flagAt(version, 'served') || flagAt(version, 'storage');
    if (isWanted) wanted.push(name);
    return isWanted || (Array.isArray(stored) && stored.includes(name)) ? [name] : [];
  });
  return { all, wanted };
}
