/** `MinimumRaised` where OLM v1 says ChangeValidator for all; the same whichever profile found it. */
import type { Finding } from '../../../rule/index.js';

const directions: Readonly<Record<string, string>> = {
  maximum: 'Lowered',
  maxItems: 'Lowered',
  maxLength: 'Lowered',
  maxProperties: 'Lowered',
  minimum: 'Raised',
  minItems: 'Raised',
  minLength: 'Raised',
  minProperties: 'Raised',
};

const wholes: Readonly<Record<string, string>> = {
  NoExistingFieldRemoved: 'FieldRemoved',
  existingFieldRemoval: 'FieldRemoved',
  NoScopeChange: 'ScopeChanged',
  scope: 'ScopeChanged',
  NoStoredVersionRemoved: 'StoredVersionRemoved',
  storedVersionRemoval: 'StoredVersionRemoved',
};

/**
 * Changes of other keywords, and the rule that explains each. What the references and the proof say of
 * one is known by how its {@link differenceOf difference} begins: what they quote comes after that,
 * and where it does not, by how it ends too.
 */
const others: readonly { readonly name: string; readonly rule: string; readonly says: RegExp }[] = [
  {
    name: 'RequiredFieldAdded',
    rule: 'required',
    says: /^(?:new required fields|the field is required from now on)\b/,
  },
  { name: 'EnumAdded', rule: 'enum', says: /^(?:enum constraints? |only listed values )/ },
  {
    name: 'EnumValueRemoved',
    rule: 'enum',
    says: /^(?:enums |allowed enum values removed|values are no longer allowed)/,
  },
  {
    name: 'DefaultAdded',
    rule: 'default',
    says: /^(?:default added when |default value ".*" added when there was no default previously$|a default is set)/s,
  },
  {
    name: 'DefaultRemoved',
    rule: 'default',
    says: /^(?:default value removed|default value ".*" removed$|the default is gone)/s,
  },
  {
    name: 'DefaultChanged',
    rule: 'default',
    says: /^(?:default value changed|the default is another)/,
  },
  { name: 'TypeChanged', rule: 'type', says: /^(?:type changed|the type changes)/ },
  { name: 'PatternAdded', rule: 'pattern', says: /^(?:pattern added|a pattern is new)/ },
  { name: 'PatternRemoved', rule: 'pattern', says: /^pattern removed/ },
  { name: 'PatternChanged', rule: 'pattern', says: /^(?:pattern changed|the pattern changes)/ },
  {
    name: 'NullForbidden',
    rule: 'nullable',
    says: /^(?:nullable removed|null is no longer allowed)/,
  },
  { name: 'NullAllowed', rule: 'nullable', says: /^nullable added/ },
  { name: 'FieldRemoved', rule: 'NoExistingFieldRemoved', says: /^the field is gone/ },
  {
    name: 'MergeStrategyChanged',
    rule: 'unhandled',
    says: /^(?:unknown change of (?:x-kubernetes-(?:list-map-keys|list-type|map-type) ?)+$|items must differ )/,
  },
  { name: 'DescriptionChanged', rule: 'description', says: /^unknown change of description$/ },
];

/** A bound that is new or not what it was, in the words of OLM v1, crdify and the proof. */
const saysBound =
  /^(?:the )?(m(?:ax|in)[A-Za-z]+)(?:(: constraint \S+ added when| constraint added when| is new)|: constraint (?:in|de)creased| (?:in|de)creased| is tightened)/;

/** The proof's opening words for objects that one version stores and another one reads. */
export const isOfRoute =
  /^\S+ (?:has pruned so far what \S+ has stored there|shapes what \S+ has pruned so far and reads from now on|is read from \S+, which sets another default); |^a write through \S+, which is served from now on; /;

const validationRuleChanged = 'ValidationRuleChanged';

/** For crdify, whose list of keywords is sorted, only where it is alone; for OLM v1; for the proof. */
const saysValidationRuleChanged =
  /^(?:x-kubernetes-validations |unknown change of x-kubernetes-validations$|a validation rule is (?:new|gone|written otherwise)\b)/;

const capital = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;

export const ruleOfChange: ReadonlyMap<string, string> = new Map([
  ...Object.entries(directions).flatMap(([keyword, direction]) => [
    [`${capital(keyword)}Added`, keyword] as const,
    [`${capital(keyword)}${direction}`, keyword] as const,
  ]),
  ...others.map(({ name, rule }) => [name, rule] as const),
  [validationRuleChanged, 'unhandled'],
  ...Object.entries(wholes).map(([rule, name]) => [name, rule] as const),
]);

export function isQualifiedRuleName(rule: string, change: string): boolean {
  const explains = ruleOfChange.get(change);
  if (explains === undefined || saysWhatChanged(rule)) return false;
  return explains === rule || ![...ruleOfChange.values()].includes(rule);
}

function saysWhatChanged(rule: string): boolean {
  return Object.hasOwn(wholes, rule);
}

export function changesOf(rule: string): string[] {
  return [...ruleOfChange].flatMap(([change, explains]) => (explains === rule ? [change] : []));
}

type Named = Pick<Finding, 'rule' | 'family' | 'version' | 'path' | 'cause' | 'message'>;

/** The rule's name and, where that covers many changes, the change's: `ChangeValidator/MinimumRaised`. */
export function qualifiedRuleName(finding: Named): string {
  const change = saysWhatChanged(finding.rule) ? undefined : changeName(finding);
  return change === undefined ? finding.rule : `${finding.rule}/${change}`;
}

/** Undefined for a finding whose rule says it already, and for several keywords at once. */
export function changeName(finding: Named): string | undefined {
  const { rule, family } = finding;
  if (family !== 'crd-upgrade-safety') return undefined;
  if (saysWhatChanged(rule)) return wholes[rule];
  const difference = differenceOf(finding);
  if (saysValidationRuleChanged.test(difference)) return validationRuleChanged;
  if (rule === 'unhandled') return undefined;
  const [, said = '', added] = saysBound.exec(difference) ?? [];
  // crdify calls every bound minimum or maximum, under the rule's name.
  const keyword = Object.hasOwn(directions, rule) ? rule : said;
  const direction = directions[keyword];
  if (direction !== undefined && said !== '') {
    return `${capital(keyword)}${added === undefined ? direction : 'Added'}`;
  }
  return others.find(({ says }) => says.test(difference))?.name;
}

function differenceOf(finding: Named): string {
  return beyondPlace(finding).replace(isOfRoute, '');
}

function beyondPlace({ rule, version, path, cause = '', message }: Named): string {
  if (cause === '') return message;
  const place = [rule, version, path].filter((part) => part !== undefined).join(' ');
  // Where a plan has several definitions, a definition's name comes before it.
  const at = cause.indexOf(place);
  return at < 0 ? cause : cause.slice(at + place.length).trimStart();
}
