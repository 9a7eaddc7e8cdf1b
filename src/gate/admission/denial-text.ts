/**
 * The text of every denial, for a reader in a hurry: what is lost and whose, how to fix it, how to go on
 * anyway and who may; then everything that was found, with the reference's whole text last.
 */
import {
  isReached,
  type Policy,
  annotation,
  disableAnnotation,
  disableUntilAnnotation,
  parseDisableUntil,
  sourceOfKind,
  switchOffsOn,
  ruleNamed,
} from '../../policy/index.js';
import { type Effect, effects, families as checkFamilies, type Finding } from '../../rule/index.js';
import {
  isRefusedByServer,
  provenHarm,
  remedyFor,
  storedObjectsUnchecked,
  newSwitchOff,
} from '../../upgrade/index.js';
import { subjectName, type AdmissionRequest } from './admission-review.js';
import { cutAtCharacter, cutAtLine, shortName, shortPath } from './bounds.js';
import type { Assessment } from './reviewer.js';

/** Characters that a reader takes in at a glance: the headline and the first step of the fix fit in them. */
const glance = 200;
const shortestHeadline = 110;

/** At most `budgets.messageBytes` of the policy; the lines that say what to do have at most half of them. */
export function denialText(
  denied: readonly Finding[],
  request: AdmissionRequest,
  assessment: Pick<Assessment, 'command' | 'fix' | 'message'>,
  policy: Policy,
  now: Date,
): string {
  const { messageBytes } = policy.budgets;
  const remedy = remediation(denied, assessment);
  const fix = `To fix: ${asClause(remedy)}`;
  const whole = headline(denied, request, assessment);
  const firstStep = /^To fix: .+?(?=[;.,:] |$)/.exec(fix)?.[0] ?? fix;
  const first = shortLine(whole, Math.max(shortestHeadline, glance - firstStep.length - 1));
  // Sentences that the lines above have whole are left out below.
  const said = [
    `${first.slice(first.indexOf(': ') + 2)}. `,
    ` (${remedy})`,
    `; ${remedy}`,
    /; [^;]+$/.exec(remedy)?.[0] ?? '',
  ];
  const head = cutAtCharacter(
    [
      first,
      fix,
      `To go on anyway${override(denied, request, policy, now)}`,
      ...((fix.includes(assessment.command) && !denied.some(isOfStored)) ||
      denied.some(({ rule }) => isRefusedByServer(rule))
        ? []
        : [`To see it again: ${commandAgain(denied, request, assessment)}`]),
    ].join('\n'),
    messageBytes / 2,
  );
  const all = cutAtLine(
    everything(denied, assessment)
      .split('\n')
      .filter((line) => !head.startsWith(`${line}\n`))
      .map((line) => said.reduce((rest, each) => rest.replace(each, ''), line))
      .join('\n'),
    messageBytes - Buffer.byteLength(`${head}\n`),
    (count) => `and ${count} more findings: ${commandAgain(denied, request, assessment)}`,
  );
  return `${head}\n${all}`;
}

const isOfStored = ({ family }: Finding): boolean => family === 'stored-objects';

/** Only the gate sees stored objects, owners and who writes: the command asks it once more. */
function commandAgain(
  denied: readonly Finding[],
  { kind: { kind }, operation, subResource }: AdmissionRequest,
  { command }: Pick<Assessment, 'command'>,
): string {
  const isSeenByGate =
    kind === 'CustomResourceDefinition' &&
    operation !== 'DELETE' &&
    (denied.some(isOfStored) || denied.every(({ rule }) => rule === newSwitchOff.id));
  if (!isSeenByGate) return command;
  const part = subResource ? ` --subresource=${subResource}` : '';
  return `kubectl ${operation === 'CREATE' ? 'create' : 'replace'}${part} --dry-run=server -f NEW`;
}

/** A line for each switch-off that must not be set, the proof of the worst finding, and the reviewer's text. */
function everything(denied: readonly Finding[], { message }: Pick<Assessment, 'message'>): string {
  const settings = denied.filter(({ rule }) => rule === newSwitchOff.id);
  const others = denied.filter(({ rule }) => rule !== newSwitchOff.id);
  const worst = worstOf(others);
  const proof = worst && provenHarm(worst);
  return [
    ...settings.map((each) => `${each.rule}: ${each.message}`),
    ...(proof === undefined ? [] : [`Proof: ${proof}`]),
    ...(others.length > 0 ? [message(others)] : []),
  ].join('\n');
}

/** The effect on stored objects, if known; else the effect of the worst finding, or its message. */
function headline(
  denied: readonly Finding[],
  request: AdmissionRequest,
  { fix }: Pick<Assessment, 'fix'>,
): string {
  const { kind } = request.kind;
  const isDefinition = kind === 'CustomResourceDefinition';
  const name = cutAtCharacter(subjectName(request), shortestHeadline);
  const namespace = request.namespace === undefined ? '' : `${request.namespace}/`;
  const title = isDefinition ? name : `${kind} ${namespace}${name}`;
  const harmful = denied.filter(({ rule }) => rule !== newSwitchOff.id);
  if (harmful.length === 0) return `${title}: the switch-off may not be set here`;
  const worst = fix === undefined ? undefined : worstOf(harmful);
  const stored = byHarm(denied).filter(
    ({ family, rule }) =>
      family === 'stored-objects' && (worst === undefined || rule !== storedObjectsUnchecked.id),
  );
  const path = worst?.path === undefined ? '' : shortPath(worst.path);
  if (stored.length > 0) {
    const known = stored.map(({ message }) => message).join('; ');
    // A requester who may not list the objects learns at least the field.
    const isNamed = path === '' || known.includes(path.replace(/^\^\./, ''));
    return `${isDefinition ? '' : `${title}: `}${known}${isNamed ? '' : `: ${path}`}`;
  }
  if (worst !== undefined) {
    const deed = `${deedOf(worst, name)}${path === '' ? '' : ` at ${path}`}`;
    const reason = worst.proof ?? worst.data?.['reason'];
    if (typeof reason !== 'string') return deed;
    const [cause = ''] = reason.split('; ', 1);
    const [short = ''] = cause.split(': ', 1);
    return `${deed}: ${deed.length + cause.length < shortestHeadline ? cause : short}`;
  }
  const [first] = byHarm(denied);
  const message = first?.message ?? '';
  const place = first?.path === undefined ? '' : shortPath(first.path.replace(/^\$\./, ''));
  const field = place === '' || message.startsWith(place) ? '' : ` ${place}`;
  const [sentence = message] = /^.+?(?=\. [A-Z]|$)/s.exec(message) ?? [];
  // If there are several sentences, the first is kept whole; the field is named below too.
  const isLong =
    sentence !== message && title.length + field.length + sentence.length > shortestHeadline;
  return `${title}${isLong ? '' : field}: ${message}`;
}

/** Effects that a definition can have on objects, whether or not such objects exist. */
const deeds: Readonly<Record<Effect, (name: string) => string>> = {
  breaking: (name) => `objects of ${name} can be refused`,
  'data-loss': (name) => `objects of ${name} can lose data`,
  undecided: (name) => `what this does to objects of ${name} could not be proven`,
  behavior: (name) =>
    `breaks no object of ${name}, but an unchanged manifest may come to mean something else`,
  safe: (name) => `breaks no object of ${name}`,
};

function deedOf({ effect, stored }: Pick<Finding, 'effect' | 'stored'>, name: string): string {
  if (effect === 'breaking' && stored?.update === 'refused') {
    return `stored objects of ${name} can be stuck: no update of them is accepted`;
  }
  if (effect === 'breaking' && stored !== undefined) {
    const { create, status } = stored;
    const written = status === 'ratcheted' ? 'writes of the status' : 'updates';
    return create === 'accepted'
      ? `${written} of objects of ${name} can be refused`
      : `objects of ${name} can be refused on create or restore`;
  }
  return effect === undefined
    ? `what this does to objects of ${name} was not looked into`
    : deeds[effect](name);
}

/** The worst proven finding of a definition; of several, the one with the smallest object that shows it. */
function worstOf(denied: readonly Finding[]): Finding | undefined {
  const ofDefinition = denied.filter(
    (each) =>
      each.family !== 'stored-objects' && !isRefusedByServer(each.rule) && !isAboutUsers(each),
  );
  const [first] = byHarm(ofDefinition);
  const [smallest] = ofDefinition
    .filter(
      ({ effect, stored, witness }) =>
        effect === first?.effect &&
        stored?.update === first?.stored?.update &&
        witness !== undefined,
    )
    .map((finding) => ({ finding, size: JSON.stringify(finding.witness).length }))
    .sort((one, other) => one.size - other.size);
  return smallest?.finding.path === undefined ? first : smallest.finding;
}

function byHarm(denied: readonly Finding[]): readonly Finding[] {
  const harm = ({ effect, stored }: Finding): number =>
    effect === undefined
      ? effects.length
      : effects.indexOf(effect) + (stored !== undefined && stored.update !== 'refused' ? 0.5 : 0);
  return denied.toSorted((one, other) => harm(one) - harm(other));
}

/** Shortens to one line, cut between sentences or else words: the whole text follows below. */
function shortLine(text: string, most: number): string {
  const line = text.replaceAll(/\s*\n\s*/g, ' ');
  if (line.length <= most) return line;
  // The end of a sentence, and the letter that shows it, are left out.
  const sentences = /^.{40,}(?=\. [A-Z])/s.exec(line.slice(0, most + 3));
  if (sentences !== null) return sentences[0];
  const kept = cutAtCharacter(line, most - 2);
  return `${/^(.{40,}) /s.exec(kept)?.[1] ?? kept} …`;
}

/** The command that fixes the schema, if that helps; else what the finding or its rule recommends. */
function remediation(
  denied: readonly Finding[],
  { command, fix }: Pick<Assessment, 'command' | 'fix'>,
): string {
  const known = denied.map((finding) => (isMendedBySchema(finding) ? fix : undefined));
  const bySchema = known.find((each) => each !== undefined);
  if (bySchema !== undefined) return bySchema;
  const [sentence = command] = byHarm(denied).flatMap((finding) => {
    const { fix: own, foundBy, rule, object } = finding;
    const said =
      typeof own === 'string'
        ? own
        : (remedyFor(finding) ?? ruleNamed(foundBy ?? rule)?.instead ?? []);
    // A function, because `$` in a name has a meaning in a replacement text. `NAME:` heads a column of kubectl's.
    return [said].flat().map((each) => each.replace(/\bNAME\b(?!:)/, () => object?.name ?? 'NAME'));
  });
  return sentence;
}

/** A sentence as it follows a colon. */
function asClause(sentence: string): string {
  return sentence.replace(/\.$/, '').replace(/^[A-Z](?=[a-z]* )/, (letter) => letter.toLowerCase());
}

/** Whether another schema fixes it: of stored objects, only that they are refused or lose data. */
function isMendedBySchema(finding: Finding): boolean {
  const { family, rule, effect, unprovable } = finding;
  // A search for fixes ends harm to objects alone.
  const isHarmless = effect === 'safe' || effect === 'behavior' || effect === 'undecided';
  if (isHarmless && unprovable !== true) return false;
  if (typeof finding.fix === 'string' || remedyFor(finding) !== undefined) return false;
  if (isAboutUsers(finding)) return false;
  if (family !== 'stored-objects') return rule !== newSwitchOff.id;
  return rule === 'StoredObjectsRefused' || rule === 'StoredObjectsLoseData';
}

function isAboutUsers({ rule, family, audience = 'objects' }: Finding): boolean {
  if (ruleNamed(rule)?.awaitsProof === false) return true;
  return family !== 'crd-upgrade-safety' && audience !== 'objects';
}

/** The end of the sentence `To go on anyway`: who may, and what to do. */
function override(
  denied: readonly Finding[],
  request: AdmissionRequest,
  policy: Policy,
  now: Date,
): string {
  if (denied.some(({ rule }) => isRefusedByServer(rule))) {
    return ': Kubernetes rejects this; it cannot be switched off here';
  }
  const { kind } = request.kind;
  const by = sourceOfKind.get(kind);
  const { allowed, sources } = policy.bypass;
  const isSwitch =
    by !== undefined &&
    allowed &&
    sources.includes(by) &&
    request.operation !== 'CREATE' &&
    denied.every((finding) => isReached(finding, by, policy, ruleNamed));
  if (!isSwitch) {
    const rules = [...new Set(denied.map(({ rule }) => rule))].slice(0, namedRules).join(', ');
    return `, if you may edit the policy of olm-guard: add an exemption for ${rules}`;
  }
  const name = shortName(subjectName(request));
  const onCluster = request.oldObject ?? {};
  const value = annotation(onCluster, disableAnnotation);
  // kubectl replaces a value only with --overwrite, and what is switched off already must stay so. Only
  // names of families get into the command: anyone may have written the rest of the value.
  const names = typeof value === 'string' ? value.split(',').map((each) => each.trim()) : [];
  const off = checkFamilies.filter((family) => names.includes(family));
  const families = [...new Set([...off, ...denied.map(({ family }) => family)])].join(',');
  const overwrite = value === undefined ? '' : ' --overwrite';
  const namespace =
    request.namespace === undefined ? '' : ` --namespace=${shortName(request.namespace)}`;
  // An end that has passed or cannot be read makes the switch-off void, so the command removes it.
  const end =
    typeof parseDisableUntil(onCluster, now) === 'object' ? ` ${disableUntilAnnotation}-` : '';
  const annotate = `kubectl annotate ${kind.toLowerCase()} ${name}${namespace}`;
  const isTogether = switchOffsOn(onCluster, now).some(({ setBy }) => setBy?.way === 'together');
  // The API server records no manager of a value that is set anew and stays as it is.
  const command =
    value !== undefined && isTogether
      ? `${annotate} ${disableAnnotation}- ${disableUntilAnnotation}- && ${annotate} ${disableAnnotation}=${families}`
      : `${annotate} ${disableAnnotation}=${families}${overwrite}${end}`;
  return `, if you may update it: ${command}`;
}

const namedRules = 5;
