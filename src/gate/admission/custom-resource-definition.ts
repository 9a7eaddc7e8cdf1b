import {
  proofMessage,
  referenceProfiles,
  newSwitchOff,
  upgradeMessage,
} from '../../upgrade/index.js';
import {
  InvalidInputError,
  invalidInput,
  type JsonObject,
  type MeasuredJson,
  own,
  sameJson,
  asBuffer,
} from '../../text/documents/index.js';
import { textAt, objectsAt } from '../../text/documents/fields.js';
import { shareBytes } from '../../checks/index.js';
import { groupsOf, identity, type Policy, rollbackMode } from '../../policy/index.js';
import { type Finding, mildHarms } from '../../rule/index.js';
import type { Caller } from './disclosure.js';
import { subjectName, type AdmissionRequest } from './admission-review.js';
import { shortName } from './bounds.js';
import { UnfinishedError, type Assessment, type ReviewContext, type Reviewer } from './reviewer.js';
import {
  isDenying,
  runDefinitionTask,
  UpdateLadder,
  type DefinitionUpdate,
  type JudgingContext,
  type ThreadReview,
} from './update-ladder.js';
import { createHash, type Hash } from 'node:crypto';
import type { JsonParts } from '../../text/documents/json-measure.js';

/** On CREATE only switch-offs are checked; `withStoredObjects` judges what a DELETE removes. */
export const customResourceDefinitionReviewer: Reviewer = {
  group: 'apiextensions.k8s.io',
  resource: 'customresourcedefinitions',
  family: 'crd-upgrade-safety',
  groupsOf: ({ object, oldObject }) => groupsOf(oldObject ?? object ?? {}),
  assess: (request, context) => inWordsOfTheReview(() => assess(request, context)),
};

/** Judgements call the two definitions `$.old` and `$.new`; a review calls them `oldObject` and `object`. */
async function inWordsOfTheReview<Answer>(answer: () => Promise<Answer>): Promise<Answer> {
  try {
    return await answer();
  } catch (error) {
    if (!(error instanceof InvalidInputError) || error.where.path === undefined) throw error;
    const path = error.where.path
      .replace(/^\$\.old(?![\w-])/, 'request.oldObject')
      .replace(/^\$\.new(?![\w-])/, 'request.object');
    throw new InvalidInputError(error.code, error.message, { ...error.where, path }, error.details);
  }
}

/** Definitions in larger reviews are compared in a thread, so that the event loop stays free. */
const quickBytes = 128 * 1024;
/** Definitions with more versions too: each served version is compared with each other one. */
const quickVersions = 8;

async function assess(
  request: AdmissionRequest,
  context: ReviewContext,
): Promise<Assessment | undefined> {
  if (request.operation === 'CREATE') return nothingToCompare(request);
  if (request.operation !== 'UPDATE') return undefined;
  const old = required(request.oldObject, 'request.oldObject');
  const next = required(request.object, 'request.object');
  const name = subjectName(request);
  const { body } = context;
  const update = { old, next, ...(body && { review: shareReview(body, context.caller) }) };
  const isSmall =
    body === undefined ||
    (body.bytes.length <= quickBytes &&
      [old, next].every((each) => versionsOf(each).length <= quickVersions));
  const [compared, back] = await Promise.all([
    new UpdateLadder(update, context, isSmall).judge(),
    rollbackOf(update, context),
  ]);
  const options = optionsOf(context.policy, compared.findings);
  const profile = referenceProfiles.find((each) => each === context.policy.profile);
  return {
    ...compared,
    findings: [...compared.findings, ...(back?.findings ?? [])],
    ...(back === undefined ? {} : { notes: { rollback: back.sentence } }),
    groups: groupsOf(old),
    command: `olm-guard check crd cluster:${shortName(name)} NEW${options}`,
    fix: `olm-guard check crd cluster:${shortName(name)} NEW${options} --fix FILE`,
    ...(profile !== undefined && context.policy.enforce === 'all' && isDenying(compared)
      ? { effects: () => effectsOf(update, context) }
      : {}),
    patches: (judge) => patchesOf(update, { policy: context.policy, judge }),
    message: (denied) =>
      profile === undefined
        ? proofMessage(name, denied)
        : upgradeMessage(name, profile, denied, versionsOf(old)),
  };
}

/** Where no option says as much, the reader needs the file: POLICY, as NEW and FILE are his own. */
function optionsOf(policy: Policy, findings: readonly Finding[]): string {
  const { profile, enforce, undecided, crdify, modes } = policy;
  const isOpen = findings.some(({ effect, unprovable }) => effect === 'undecided' && !unprovable);
  const isOfFile =
    enforce === 'stuck' ||
    crdify !== undefined ||
    (undecided === 'deny' && isOpen) ||
    findings.some(({ rule, family }) => (modes.get(rule) ?? modes.get(family)) === 'deny') ||
    mildHarms.some((harm) => modes.get(harm) === 'deny');
  if (isOfFile) return ' --policy POLICY';
  return `${profile === 'olm-v1' ? '' : ` --profile ${profile}`}${enforce === 'all' ? ' --strict' : ''}`;
}

/** Copies the review's bytes when the first thread needs them; later threads get the same copy. */
function shareReview(body: MeasuredJson, caller: Caller): () => ThreadReview {
  const share = (): ThreadReview => {
    // Without a key no answer is kept: unauthenticated clients could fill the cache.
    const key = caller === 'unauthenticated' ? undefined : digestOfUpdate(body);
    return { unread: { review: shareBytes(body) }, ...(key === undefined ? {} : { key }) };
  };
  let shared: ThreadReview | undefined;
  return () => (shared ??= share());
}

function nothingToCompare(request: AdmissionRequest): Assessment {
  return {
    findings: [],
    previous: () => [],
    message: () => '',
    groups: groupsOf(required(request.object, 'request.object')),
    command: `olm-guard explain ${newSwitchOff.id}`,
  };
}

/** Adds to findings of a reference's rules what each does to objects, if a proof is ready in time. */
async function effectsOf(
  update: DefinitionUpdate,
  context: JudgingContext,
): Promise<(finding: Finding) => Finding> {
  try {
    const { findings } = await new UpdateLadder(update, context).inThread('review');
    const proven = new Map(findings.map((each) => [identity(each), each]));
    return (finding) => {
      const { effect, harm, proof, witness, stored, storedFrom } =
        proven.get(identity(finding)) ?? {};
      return effect === undefined
        ? finding
        : { ...finding, effect, harm, proof, witness, stored, storedFrom };
    };
  } catch (error) {
    if (error instanceof UnfinishedError || error instanceof InvalidInputError) return same;
    throw error;
  }
}

async function patchesOf(
  update: DefinitionUpdate,
  context: JudgingContext,
): Promise<(finding: Finding) => Finding> {
  try {
    const { verdict } = await runDefinitionTask('definition-patches', update, context);
    const patched = new Map(verdict?.findings.map((each) => [identity(each), each.fix]));
    return (finding) => {
      const fix = patched.get(identity(finding));
      return fix === undefined ? finding : { ...finding, fix };
    };
  } catch (error) {
    if (error instanceof UnfinishedError) return same;
    throw error;
  }
}

const same = (finding: Finding): Finding => finding;

/** Whether the old definition can be put back, if the policy asks: for the audit log, and as a finding. */
async function rollbackOf(
  update: DefinitionUpdate,
  context: JudgingContext,
): Promise<{ readonly sentence: string; readonly findings: readonly Finding[] } | undefined> {
  const mode = rollbackMode(context.policy);
  const { old, next } = update;
  if (mode === undefined || sameJson(own(old, 'spec') ?? null, own(next, 'spec') ?? null)) {
    return undefined;
  }
  try {
    const { verdict } = await runDefinitionTask('definition-rollback', update, context);
    const [finding] = verdict?.findings ?? [];
    if (finding === undefined) return undefined;
    // Nothing is denied because a rollback is possible.
    const isReported = mode !== 'audit' && (mode === 'warn' || finding.severity !== 'info');
    return { sentence: finding.message, findings: isReported ? [finding] : [] };
  } catch (error) {
    if (!(error instanceof UnfinishedError)) throw error;
    return { sentence: `the rollback was not judged: ${error.message}`, findings: [] };
  }
}

function required(object: JsonObject | null | undefined, path: string): JsonObject {
  if (object !== null && object !== undefined) return object;
  throw invalidInput('is missing from the review', { path });
}

function versionsOf(definition: JsonObject): string[] {
  return objectsAt(definition, 'spec', 'versions').flatMap((each) => textAt(each, 'name') ?? []);
}

/** Separates the parts in the digest, and marks what is left out: JSON text never contains this byte. */
const gap = Buffer.of(0);

/**
 * Reviews with the same bytes of `object` and `oldObject` have the same digest. `metadata.managedFields`
 * is left out, because it contains the time of each attempt.
 *
 * Undefined unless the review has each of the two once, `oldObject` directly after `object`, as API
 * servers write them.
 */
export function digestOfUpdate({ bytes, parts }: MeasuredJson): string | undefined {
  if (parts === undefined) return undefined;
  const text = new ReviewText(bytes, parts);
  const request = text.member(0, 'request');
  const object = text.member(request, 'object');
  const oldObject = text.member(request, 'oldObject');
  if (object === undefined || oldObject === undefined) return undefined;
  const isInOrder = text.between(text.end(object), text.start(oldObject)) === ',"oldObject":';
  // Where a name is repeated, the last member counts.
  if (!isInOrder || repeatedName.test(text.between(text.end(oldObject)))) return undefined;
  const hash = createHash('sha256');
  for (const side of [object, oldObject]) text.digest(side, hash);
  return hash.digest('base64');
}

/** One of the names again, perhaps with escaped characters. */
const repeatedName = /\\|"(?:request|object|oldObject)"/;

class ReviewText {
  private readonly buffer: Buffer;

  constructor(
    bytes: Uint8Array,
    private readonly parts: JsonParts,
  ) {
    this.buffer = asBuffer(bytes);
  }

  start(part: number): number {
    return this.parts.starts[part] ?? 0;
  }

  end(part: number): number {
    return this.parts.ends[part] ?? 0;
  }

  between(start: number, end?: number): string {
    return this.buffer.toString('latin1', start, end);
  }

  /** The last child of a part under a key; values too small to be measured are not found. */
  member(parent: number | undefined, key: string): number | undefined {
    if (parent === undefined) return undefined;
    const name = `"${key}":`;
    let found: number | undefined;
    for (const part of this.children(parent)) {
      const start = this.start(part);
      const before = this.between(start - name.length - 1, start);
      if (before === `{${name}` || before === `,${name}`) found = part;
    }
    return found;
  }

  /** Adds an object's bytes, without its `metadata.managedFields`, to the hash. */
  digest(object: number, hash: Hash): void {
    let from = this.start(object);
    const fields = this.member(this.member(object, 'metadata'), 'managedFields');
    if (fields !== undefined) {
      hash.update(this.buffer.subarray(from, this.start(fields))).update(gap);
      from = this.end(fields);
    }
    hash.update(this.buffer.subarray(from, this.end(object))).update(gap);
  }

  private *children(parent: number): Generator<number> {
    const { starts } = this.parts;
    const end = this.end(parent);
    for (let part = parent + 1; part < starts.length && this.start(part) < end;) {
      yield part;
      const behind = this.end(part);
      if (behind < 0) return;
      do part++;
      while (part < starts.length && this.start(part) < behind);
    }
  }
}
