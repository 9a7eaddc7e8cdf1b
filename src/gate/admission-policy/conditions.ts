/** Which rules in CEL, and which logical operators, an update may bring to a field. */
import type { SchemaNode } from '../../kubernetes/index.js';
import { isIntOrString, isSet } from './expressions.js';
import { type FieldRule, fieldRule, hasOperators, operators } from './field-rules.js';
import type { Layer } from './layers.js';

const rulesInCel = '"x-kubernetes-validations"';

/** Passes rules that name a new field, may replace a rule about the same fields, or where an operator goes. */
export function celRule(node: SchemaNode, layer: Layer): FieldRule {
  return fieldRule('a rule in CEL may refuse values that are allowed now', (slot) => {
    const known = slot(node.rules.map(({ rule }) => rule));
    const isHarmless = [
      `r.rule in ${known}`,
      ...replacesRule(node, layer, known),
      ...namesNewField(layer),
    ];
    return [
      `!(${rulesInCel} in f)`,
      ...operators
        .filter((each) => (each === 'not' ? node.not !== undefined : node[each].length > 0))
        .map((each) => `!has(f.${each})`),
      `f[${rulesInCel}].all(r, ${isHarmless.join(' || ')})`,
    ].join(' || ');
  });
}

/** Whether the rule `r` names the fields that a removed rule names. */
function replacesRule(
  { rules }: SchemaNode,
  { id, children, otherNames }: Layer,
  known: string,
): string[] {
  if (rules.length === 0) return [];
  const isSame = (name: string): string => `${isNamed(name, 'k')} == ${isNamed(name, 'r.rule')}`;
  const same = [
    ...children.map(
      (child) =>
        `variables.i${child.id}.all(j, variables.u${child.id}[j] != i || variables.k${child.id}[j] == "" || ${isSame(`variables.k${child.id}[j]`)})`,
    ),
    ...(otherNames === undefined ? [] : [`variables.f${id}[i].all(p, ${isSame('p')})`]),
  ];
  const isGone = `!f[${rulesInCel}].exists(q, q.rule == k)`;
  return [`${known}.exists(k, ${[isGone, ...same].join(' && ')})`];
}

/** Variables of CEL: the field with the rules, and the fields up to two levels below it. */
const scopes = [
  { number: 'i', schema: 'f' },
  { number: 'j', schema: 'g' },
  { number: 'l', schema: 'h' },
];

/** Whether the rule `r` names a field that is new, in the field itself or in those below it. */
function namesNewField(layer: Layer, depth = 0): string[] {
  const [scope, below] = scopes.slice(depth);
  if (scope === undefined) return [];
  const { number, schema } = scope;
  // Of many fields that are new or not, few are named.
  const isNew = [isNamed('p', 'r.rule'), ...newFieldConditions(layer, number)].join(' && ');
  const here = `(has(${schema}.properties) && ${schema}.properties.exists(p, ${isNew}))`;
  if (below === undefined) return [here];
  return [
    here,
    ...layer.children.map((child) => {
      const names = namesNewField(child, depth + 1).join(' || ');
      const isBelow = `variables.u${child.id}[${below.number}] == ${number}`;
      return `variables.i${child.id}.exists(${below.number}, ${isBelow} && [variables.n${child.id}[${below.number}]].exists(${below.schema}, ${below.schema} != null && (${names})))`;
    }),
  ];
}

/** Whether the field `p` of the field with that number is new. */
function newFieldConditions({ id, children, otherNames }: Layer, number: string): string[] {
  return [
    ...children.map(
      (child) =>
        `!variables.i${child.id}.exists(m, variables.u${child.id}[m] == ${number} && variables.k${child.id}[m] == p)`,
    ),
    ...(otherNames === undefined ? [] : [`!(p in variables.f${id}[${number}])`]),
  ];
}

/** Only for a field without operators: CEL takes no literal of mixed types. One that names a new field passes. */
export function operatorRules(node: SchemaNode, layer: Layer): FieldRule[] {
  if (hasOperators(node)) return [];
  const isNew = newFieldConditions(layer, 'i').join(' && ');
  const branches = operators.map((each) =>
    each === 'not' ? '(has(f.not) ? [f.not] : [])' : `(has(f.${each}) ? f.${each} : [])`,
  );
  const names = ['required', 'properties'].map(
    (each) => `(has(b.${each}) && b.${each}.exists(p, ${isNew}))`,
  );
  return [
    fieldRule(
      `${operators.slice(0, -1).join(', ')} or not may refuse values that are allowed now`,
      () =>
        [
          isSet(isIntOrString, 'f'),
          `!(${operators.map((each) => `has(f.${each})`).join(' || ')})`,
          ...(isNew === '' ? [] : [`(${branches.join(' + ')}).exists(b, ${names.join(' || ')})`]),
        ].join(' || '),
    ),
  ];
}

function isNamed(name: string, text: string): string {
  const escaped = `${name}.replace(".", "__dot__").replace("-", "__dash__").replace("/", "__slash__")`;
  return `(${text}.matches("\\\\b_*\\\\Q" + ${name} + "\\\\E_*\\\\b") || (${name}.matches("[-./]") && ${text}.contains(${escaped})))`;
}
