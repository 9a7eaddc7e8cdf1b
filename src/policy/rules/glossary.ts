/** Words that `explain` and the rule pages define: terms, roles, audiences and families of rules. */
import { effectWords } from '../../upgrade/index.js';
import { mildHarm } from '../policy.js';
import { apiRoles, readRoleName, type RoleName } from '../../olm/index.js';
import { type Audience, families, type Family, namesOf, type Rule } from '../../rule/index.js';
import { rules } from './registry.js';
import { largest } from '../../text/long-lists.js';

/** Words of the output that are no rule's name, as `explain` prints them. */
const terms: Readonly<Record<string, string>> = {
  'olm-v1':
    'The profile that judges by the validators of operator-controller v1.3.0, the last that OpenShift 4.17 documents.',
  crdify: 'The profile that judges by crdify 54162f2, as operator-controller v1.9 configures it.',
  'olm-v1.10':
    'The profile that judges by crdify bb9957d, which operator-controller v1.10 and v1.11 use: as crdify, and oneOf has a rule.',
  proof:
    'What an upgrade does to objects, found out instead of assumed: each difference is shown to do harm by an object (the witness), proven to do none, or undecided. It is beside the findings of every profile; profile proof decides by it alone. Findings of it have the rule Proof.',
  witness:
    'An object that the old definition accepts and the new one refuses, or keeps with less in it. It is made up from the two schemas, never read from a cluster.',
  breaking: `An effect: ${effectWords.breaking}. The old definition accepts an object that the new one refuses.`,
  'data-loss': `An effect: ${effectWords['data-loss']}. A value that is stored is dropped or replaced when the object is read or written.`,
  undecided:
    'An effect: harm is neither shown nor ruled out. The finding says what stopped the proof; undecided in the policy says what follows: what the rule of the profile says (default), warn or deny.',
  unprovable:
    'Why a finding is undecided: no proof could be looked for, because the budget or the time ran out, a schema cannot be followed, or no object was found that has a value at the place. The rule of the profile decides, whatever undecided in the policy says.',
  behavior: `An effect: ${effectWords.behavior}. Every object stays accepted with its values, and something else differs, such as a default of new objects.`,
  safe: `An effect: ${effectWords.safe}.`,
  stored:
    'A line beneath a finding: which writes of an object that is stored still work once the new definition is there: a create or restore of it, an update that changes nothing in the refused fields (API servers ratchet these from 1.30 on), any other update, and one of its status. enforce: stuck in the policy denies only what leaves no update.',
  stuck:
    'An object that is stored, and of which the new definition accepts no update any more. enforce: stuck in the policy denies only that.',
  ratchet:
    'What the rules find in the old definition or object already does not stop its next change. ratchet: false in the policy ends that, and so does --strict.',
  exemption:
    'An entry of the policy, or a comment olm-guard:exempt in the new definition, that lets a finding pass: it names the rule and the reason, and may end at a time.',
  'switch-off':
    'An annotation (olm-guard.io/disable) on a stored object or its owner by which a family of rules no longer denies changes of it.',
  promise:
    'An entry of promises in the policy: it names versions, paths, rules, branches or deprecated fields, and the mode of the findings about them (deny, warn, audit, frozen). The first entry that matches a finding decides; olm-guard init writes some, and docs/policy.md describes them.',
  frozen:
    'The mode of a promise under which any change but of descriptions is denied, as on release branches. Its rule is FrozenChanged.',
  acknowledged:
    'A break that --acknowledge REASON, or a label by the acknowledge-label of the Action, lets pass as a warning. It is counted, and what Kubernetes itself refuses stays denied.',
  cel: 'The Common Expression Language, in which a schema writes rules (x-kubernetes-validations). Rules about it: ValidationRuleChanged (a rule changes), CelCompile (an API server cannot compile it), CelCost (it may cost too much), CelSettings (what stands beside it is invalid).',
};

/** Named by `modes` of a policy, and by no finding. */
const harms = new Map(
  Object.entries(mildHarm).map(([name, why]) => [
    name.toLowerCase(),
    `A kind of harm of which a policy only warns: ${why}. modes: { ${name}: deny } in the policy denies it.`,
  ]),
);

export const termNames: readonly string[] = [...Object.keys(terms), ...Object.keys(mildHarm)];

const celKeyword = /^(?:x-kubernetes-validations?|validation-?rules?)$/;

export function printTerm(asked: string): string | undefined {
  const name = asked
    .toLowerCase()
    .replace(celKeyword, 'cel')
    .replace(/^promises$/, 'promise')
    .replace(/^ratchet(?:ing|ed)$/, 'ratchet')
    .replace(/^(?:--)?acknowledge(?:-label)?$/, 'acknowledged');
  const text = harms.get(name) ?? (Object.hasOwn(terms, name) ? terms[name] : undefined);
  return text === undefined ? undefined : `${asked}\n  ${text}\n`;
}

// The text of `explain` for a ClusterRole that OLM makes: people meet its name before they meet OLM's rules.

/** Undefined for a name that OLM gives no role of its own. */
export function printRole(name: string): string | undefined {
  const role = readRoleName(name);
  if (role === undefined) return undefined;
  const lines = role.kind === 'group' ? groupLines(role) : apiLines(name, role);
  return [
    `ClusterRole ${name}, by its name one of OLM`,
    ...[
      ...lines,
      ['check', `kubectl get clusterrole ${name} --show-labels (olm.managed=true)`],
    ].map(([title = '', text = '']) => `  ${`${title}:`.padEnd(11)}${text}`),
    '',
  ].join('\n');
}

function groupLines({ group, suffix }: Extract<RoleName, { kind: 'group' }>): string[][] {
  return [
    ['made by', `OLM since v0.26.0, for an OperatorGroup ${group}`],
    [
      'grants',
      `what the ${suffix} roles grant of the APIs that the group’s operators provide; nothing while there are none`,
    ],
    ['given to', 'nobody, until somebody binds it'],
    ['belongs to', `the OperatorGroup in the namespace that the label olm.owner.namespace names`],
  ];
}

function apiLines(
  name: string,
  { api, version, suffix }: Extract<RoleName, { kind: 'api' }>,
): string[][] {
  const known = apiRoles([{ name: api, version, kind: '' }], []).roles;
  const role = known.find((each) => each.name === name);
  const verbs = apiRoles([], [{ name: api, group: '', version, kind: '' }]).roles;
  const [rule] = (role ?? verbs.find((each) => each.name === name))?.rules ?? [];
  const owner =
    role === undefined ? `the APIService of ${api}` : `the CustomResourceDefinition ${api}`;
  const object = suffix === 'crdview' ? owner : api;
  const standard = suffix === 'crdview' ? 'view' : suffix;
  return [
    ['made by', `OLM, once a ClusterServiceVersion that owns ${api} in ${version} has succeeded`],
    ['grants', `${(rule?.verbs ?? []).join(', ')} on ${object}`],
    [
      'given to',
      `whoever has the ClusterRole ${standard}, which it is aggregated to, or the ${standard} role of an OperatorGroup that provides the API`,
    ],
    ['belongs to', `${owner}: it stays when the ClusterServiceVersion goes`],
  ];
}

/** In a sentence, for people. */
export const audiences: Readonly<Record<Audience, string>> = {
  objects: 'What is stored is refused from then on, or loses data.',
  clients: 'A request that worked gets another answer.',
  apply:
    'Server-side apply, field ownership, kubectl apply and the GitOps tools that use them meet conflicts or errors.',
  readers: 'A client written for the old definition may read values that it does not know.',
  display: 'People and tables see something else: columns, short names, categories, warnings.',
};

interface Grouped {
  readonly name: string;
  /** `audience` or `family`. */
  readonly kind: 'audience' | 'family';
  readonly says?: string;
  readonly rules: readonly Rule[];
}

export function groupNamed(name: string): Grouped | undefined {
  const says = (audiences as Readonly<Record<string, string | undefined>>)[name];
  if (Object.hasOwn(audiences, name) && says !== undefined) {
    return {
      name,
      kind: 'audience',
      says,
      rules: rules.filter((rule) => audienceOf(rule) === name),
    };
  }
  if (!families.some((family) => family === name)) return undefined;
  const about = rules.filter(({ family }) => family === name);
  const [first] = about;
  const whole = first === undefined ? undefined : audienceOf(first);
  return {
    name,
    kind: 'family',
    rules: about,
    ...(whole === undefined || about.some((rule) => audienceOf(rule) !== whole)
      ? {}
      : { says: audiences[whole] }),
  };
}

export const groupNames: readonly string[] = [...Object.keys(audiences), ...families];

/** Rules about a definition's schema are about its stored objects. */
export function audienceOf({
  audience,
  family,
}: Pick<Rule, 'audience' | 'family'>): Audience | undefined {
  return audience ?? (objectFamilies.includes(family) ? 'objects' : undefined);
}

const objectFamilies: readonly Family[] = ['crd-upgrade-safety', 'stored-objects', 'rollback'];

/** As `explain` prints it. `mode`: what a policy makes of the family unless it says otherwise. */
export function printGroup(
  { name, kind, says, rules: about }: Grouped,
  mode: (family: Family) => string,
): string {
  const used = [...new Set(about.map(({ family }) => family))];
  const modes = used.map((family) => `${family}: ${mode(family)}`);
  const width = largest(
    about.map((rule) => namesOf(rule).join(', ').length),
    0,
  );
  return [
    `${kind} ${name}\n`,
    ...(says === undefined ? [] : [`  ${says}\n`]),
    `  by default: ${modes.join(', ')}\n\n`,
    ...about.map((rule) => `  ${namesOf(rule).join(', ').padEnd(width)}  ${rule.checks}\n`),
    `\n  olm-guard explain ${about[0]?.id ?? 'RULE'} tells all about one\n`,
  ].join('');
}
