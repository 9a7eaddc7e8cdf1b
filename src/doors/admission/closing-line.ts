/** The last line of every denial: what the change does to objects, the way out, and how to switch the check off. */
import { isReached } from '../../check/decide.js';
import { ruleNamed } from '../../rules/registry.js';
import { isRefusedByServer } from '../../rules/upgrade-rules.js';
import type { Policy } from '../../check/policy.js';
import {
  annotation,
  disableAnnotation,
  disableUntilAnnotation,
  readUntil,
} from '../../check/switch-annotation.js';
import { sourceOfKind } from '../../check/switch-off.js';
import { families as checkFamilies, type Effect, type Finding, effects } from '../../finding.js';
import { wayOutOf } from '../../rules/crd/way-out.js';
import { subjectName, type AdmissionRequest } from './admission-review.js';
import { cutAtCharacter, shortName, shortPath } from './bounds.js';
import type { Assessment } from './reviewer.js';

const deeds: Readonly<Record<Effect, string>> = {
  breaking: 'Breaks objects',
  'data-loss': 'Loses data',
  undecided: 'What it does to objects could not be proven',
  behavior: 'Breaks no object, but an unchanged manifest may come to mean something else',
  safe: 'Breaks no object',
};

/** One line without its end, for findings that are denied. */
export function closingLine(
  denied: readonly Finding[],
  request: AdmissionRequest,
  assessment: Pick<Assessment, 'command' | 'fix'>,
  policy: Policy,
  now: Date,
): string {
  const deed = deedOf(denied, assessment);
  const line = [
    ...(deed === undefined ? [] : [deed]),
    `Way out: ${wayOut(denied, assessment)}`,
    `To switch off: ${switchOff(denied, request, policy, now)}`,
  ].join('. ');
  // Of a policy that allows but short answers, most is left to what was found.
  return cutAtCharacter(`olm-guard: ${line}`, policy.budgets.messageBytes / 2);
}

/** The worst that was proven, and where the smallest object shows it. */
function deedOf(denied: readonly Finding[], { fix }: Pick<Assessment, 'fix'>): string | undefined {
  const ofObjects = denied.filter(({ rule }) => !isRefusedByServer(rule));
  const worst = effects.find((effect) => ofObjects.some((finding) => finding.effect === effect));
  if (worst === undefined) {
    const isAsked = fix === undefined || ofObjects.length === 0;
    return isAsked ? undefined : 'Its effect on stored objects was not looked into';
  }
  const [smallest] = ofObjects
    .filter(({ effect, witness }) => effect === worst && witness !== undefined)
    .map(({ path, witness }) => ({ path, size: JSON.stringify(witness).length }))
    .sort((one, other) => one.size - other.size);
  const path = smallest?.path ?? ofObjects.find(({ effect }) => effect === worst)?.path;
  return path === undefined ? deeds[worst] : `${deeds[worst]}, for example at ${shortPath(path)}`;
}

function wayOut(
  denied: readonly Finding[],
  { command, fix }: Pick<Assessment, 'command' | 'fix'>,
): string {
  const inWords = denied.map((finding) =>
    typeof finding.fix === 'string' ? finding.fix : wayOutOf(finding),
  );
  if (fix !== undefined && inWords.includes(undefined)) return fix;
  const sentence = inWords.find((each) => each !== undefined);
  return sentence === undefined ? command : withoutFullStop(sentence);
}

function switchOff(
  denied: readonly Finding[],
  request: AdmissionRequest,
  policy: Policy,
  now: Date,
): string {
  if (denied.some(({ rule }) => isRefusedByServer(rule))) {
    return 'Kubernetes itself refuses this, whatever is switched off';
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
  if (!isSwitch) return 'an exemption in the policy of olm-guard';
  const name = shortName(subjectName(request));
  const onCluster = request.oldObject ?? {};
  const value = annotation(onCluster, disableAnnotation);
  // kubectl replaces a value only when told to, and what is off already must stay so. Of a value,
  // which anybody may have written, only the names of families come into a command.
  const names = typeof value === 'string' ? value.split(',').map((each) => each.trim()) : [];
  const off = checkFamilies.filter((family) => names.includes(family));
  const families = [...new Set([...off, ...denied.map(({ family }) => family)])].join(',');
  const overwrite = value === undefined ? '' : ' --overwrite';
  const namespace =
    request.namespace === undefined ? '' : ` --namespace=${shortName(request.namespace)}`;
  // Beside a time that has passed or is none, whatever is switched off does not count.
  const end = typeof readUntil(onCluster, now) === 'object' ? ` ${disableUntilAnnotation}-` : '';
  return `kubectl annotate ${kind.toLowerCase()} ${name}${namespace} ${disableAnnotation}=${families}${overwrite}${end}`;
}

function withoutFullStop(sentence: string): string {
  return sentence.replace(/\.$/, '');
}
