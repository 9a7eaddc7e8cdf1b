/** Questions that a case answers: what is there, bounds, patterns, order, and whatever is not followed. */
import type { Node } from '../../../../cel/index.js';
import { compilePattern } from '../../../../text/go/regexp.js';
import { listedTexts } from '../../../../text/regular/find-string.js';
import { leastLength, parsePattern } from '../../../../text/regular/syntax.js';
import { escapeName, readSchema, type SchemaNode } from '../../../../kubernetes/index.js';
import { literalOf } from '../scalars.js';
import { derivedSpot } from './derived.js';
import type { Budget } from '../../budget.js';
import { accepts, conjuncts, fieldOf, listedValues } from '../../shape.js';
import {
  type Formula,
  type Spot,
  type Sum,
  hasOtherDefault,
  hasSameDefault,
  innerOf,
  nameOf,
  termSchemas,
  isText,
  isTextOrInteger,
  isSized,
  isReadable,
  isPlainNode,
  fractionOf,
} from './spots.js';
import {
  textOf,
  nothing,
  sumOf,
  added,
  type Fact,
  FactsByPlace,
  floored,
  modulo,
} from './facts.js';
import {
  type Outcomes,
  yes,
  no,
  failure,
  otherText,
  type Constant,
  isConstant,
  type Value,
  sure,
  unsure,
  failed,
  ofOutcomes,
  outcomesOf,
  ofAnswer,
  ofSum,
  integerSum,
  comparable,
  failing,
  type Answer,
  choices,
  asBoolean,
  type Atom,
  type Asked,
  type Example,
  type Case,
  type Scope,
  type Context,
} from './case.js';
import {
  comparisons,
  isPlainText,
  textTests,
  startIn,
  operandsOf,
  isReadBy,
  keyOf,
  opposite,
  equalityKey,
} from './trees.js';

/** Numbers are told apart by what a division leaves of them, if there are no more such classes. */
const mostRests = 60n;

/** Longer sums are followed in pieces: each is made anew for each of its parts. */
const maxParts = 40;

export const maxTexts = 12;

function commonFactor(one: bigint, other: bigint): bigint {
  return other === 0n ? (one < 0n ? -one : one) : commonFactor(other, one % other);
}

function turned(example: Example | undefined): Example | undefined {
  return example && { ...example, answer: !example.answer };
}

/** Characters of a key that cost as much to write as a value to look at. */
const keyCharactersPerValue = 25;

export class Questions {
  protected readonly facts = new WeakMap<Case, FactsByPlace>();
  protected readonly keys = new Map<Scope, Map<Node, string>>();
  private readonly lists = new Map<string, readonly string[] | undefined>();
  protected readonly choices = new Map<string, readonly Answer[] | undefined>();
  /** Expressions that were looked at and not paid for yet. */
  protected looked = 0;
  private readonly until: number;
  protected open: Atom | undefined;
  /** Questions since it was set. */
  protected asked: Set<string> | undefined;
  /** Places whose values were looked at. */
  readonly read = new Map<string, Spot>();

  constructor(
    readonly texts: readonly string[],
    protected readonly hasFractions: boolean,
    readonly budget: Budget,
    share: number,
    /** Divisors of the rules. */
    private readonly divisors: readonly bigint[] = [],
  ) {
    this.until = budget.spent + budget.left * share;
  }

  protected pay(): void {
    this.budget.spend(this.looked);
    this.looked = 0;
  }

  protected get isOver(): boolean {
    return this.budget.spent + this.looked >= this.until;
  }

  /** Written once for each scope: it is asked in every split of a rule. */
  protected keyOf(node: Node, scope: Scope): string {
    let known = this.keys.get(scope);
    if (known === undefined) this.keys.set(scope, (known = new Map<Node, string>()));
    let key = known.get(node);
    if (key === undefined) {
      known.set(node, (key = keyOf(node, scope)));
      this.looked += key.length / keyCharactersPerValue;
    }
    return key;
  }

  protected ask(atom: Atom, known: Case): Answer | undefined {
    this.asked?.add(atom.key);
    const answered = known.get(atom.key);
    if (answered !== undefined) return answered.answer;
    this.open ??= atom;
    return undefined;
  }

  /** Either answer, and the same one wherever the same or its opposite is asked. */
  protected opaque(node: Node, at: Context, { mayFail, ...known }: Asked): Outcomes {
    const key = this.keyOf(node, at.scope);
    const isTurned = key.startsWith('!_(');
    const { example, usual } = known;
    const atom: Atom = {
      key: `? ${isTurned ? opposite(key) : key}`,
      choices: mayFail ? [...choices, failing] : choices,
      about: 'anything',
      node,
      ...known,
      example: isTurned ? turned(example) : example,
      usual: isTurned ? usual && (() => turned(usual())) : usual,
    };
    const answer = this.ask(atom, at.known);
    if (answer === undefined) return mayFail ? yes | no | failure : yes | no;
    return answer === failing ? failure : (answer === true) !== isTurned ? yes : no;
  }

  factsOf(known: Case): FactsByPlace {
    let facts = this.facts.get(known);
    if (facts === undefined) {
      this.facts.set(known, (facts = new FactsByPlace()));
      for (const { atom, answer } of known.values()) {
        const { spot, fact, list } = atom;
        if (list !== undefined && isSized(list) && answer === true) {
          const of = sumOf({ spot: list, isSize: true });
          facts.add(list, { kind: 'most', of, most: 0n }, false);
        }
        const [left, right] = atom.compared ?? [];
        if (left && right && answer === true) facts.join(left, right);
        if (spot === undefined) continue;
        if (fact?.kind === 'rest' && typeof answer === 'bigint')
          facts.add(spot, { ...fact, rest: answer }, true);
        else if (fact !== undefined && answer !== failing) facts.add(spot, fact, answer === true);
        const texts = this.texts.filter(isPlainText);
        if (answer !== otherText || texts.length === 0) continue;
        const pattern = `^(?:${texts.map(literalOf).join('|')})$`;
        facts.add(spot, { kind: 'pattern', pattern }, false);
      }
    }
    return facts;
  }

  /** Whether it is no more than that; undefined where both are possible. */
  protected isAtMost({ parts, plus }: Sum, limit: bigint, known: Case): boolean | undefined {
    const all = [...parts].sort(([one], [other]) => (one < other ? -1 : 1));
    const [first] = all;
    if (first === undefined) return plus <= limit;
    const [, { of, times: leading }] = first;
    const isTurned = leading < 0n;
    const factor = all.reduce((sum, [, { times }]) => commonFactor(sum, times), 0n);
    const divisor = isTurned ? -factor : factor;
    const scaled = all.map(([key, { of: each, times }]) => {
      return [key, { of: each, times: times / divisor }] as const;
    });
    // -s <= n is the same as !(s <= -n - 1).
    const most = isTurned ? -floored(limit - plus, factor) - 1n : floored(limit - plus, factor);
    const sum: Sum = { parts: new Map(scaled), plus: 0n };
    const same = all.length === 1 ? of.spot.atMost?.(most) : undefined;
    if (same !== undefined) {
      const isMost = this.isSo(same, known);
      return isMost === undefined ? undefined : isMost !== isTurned;
    }
    const [low, high] = this.factsOf(known).rangeOf(sum);
    if (high <= most || low > most) return high <= most !== isTurned;
    const fact: Fact = { kind: 'most', of: sum, most };
    const key = `${textOf(sum)} <= ${most}`;
    const answer = this.ask({ key, choices, spot: of.spot, about: 'fact', fact }, known);
    return typeof answer === 'boolean' ? answer !== isTurned : undefined;
  }

  /** Undefined while one of the questions that it comes to is open. */
  protected isSo(formula: Formula, known: Case): boolean | undefined {
    if (typeof formula === 'boolean') return formula;
    if ('sum' in formula) return this.isAtMost(formula.sum, formula.most, known);
    if ('not' in formula) {
      const answer = this.isSo(formula.not, known);
      return answer === undefined ? undefined : !answer;
    }
    if ('any' in formula) {
      for (const each of formula.any) {
        const answer = this.isSo(each, known);
        if (answer !== false) return answer;
      }
      return false;
    }
    const { constant } = this.matches(formula.spot, formula.pattern, known) ?? {};
    return typeof constant === 'boolean' ? constant : undefined;
  }

  /** The answer of a comparison of what is ordered as integers are. */
  protected ordered(name: string, one: Value, two: Value, known: Case): Value | undefined {
    const [left, right] = comparable(one, two);
    if (left === undefined || right === undefined) return undefined;
    const apart = added(left, right, -1n);
    if (name === '_==_') {
      const isMost = this.isAtMost(apart, 0n, known);
      const isLess = isMost === false ? true : this.isAtMost(apart, -1n, known);
      if (isMost === false || isLess === true) return ofAnswer(false);
      return ofAnswer(isMost === undefined || isLess === undefined ? undefined : true);
    }
    const isStrict = name === '_<_' || name === '_>=_';
    const answer = this.isAtMost(apart, isStrict ? -1n : 0n, known);
    const isUpper = name === '_<_' || name === '_<=_';
    return ofAnswer(answer === undefined || isUpper ? answer : !answer);
  }

  /** Sums, differences and multiples of integers; past 64 bits they fail. */
  protected computed(name: string, [one, two]: readonly Value[], known: Case): Value | undefined {
    const [left, right] = [one, two].map((each) => each && integerSum(each));
    if (left === undefined) return undefined;
    let sum: Sum | undefined;
    if (name === '_%_' && right?.parts.size === 0 && right.plus > 0n)
      return this.remainder(left, right.plus, known);
    if (name === '-_') sum = added(nothing, left, -1n);
    else if (right === undefined) return undefined;
    else if (name === '_+_') sum = added(left, right, 1n);
    else if (name === '_-_') sum = added(left, right, -1n);
    else if (name === '_*_' && left.parts.size === 0) sum = added(nothing, right, left.plus);
    else if (name === '_*_' && right.parts.size === 0) sum = added(nothing, left, right.plus);
    if (sum === undefined || sum.parts.size > maxParts) return undefined;
    this.looked += sum.parts.size;
    const isBelow = this.isAtMost(sum, -(2n ** 63n) - 1n, known);
    const isFitting = isBelow === false ? this.isAtMost(sum, 2n ** 63n - 1n, known) : undefined;
    if (isBelow === true || isFitting === false) return failed;
    return isFitting === undefined ? unsure : ofSum(sum);
  }

  /** The remainder of a division, by what a common multiple of all divisors leaves. */
  protected remainder(sum: Sum, divisor: bigint, known: Case): Value | undefined {
    const [part, ...others] = sum.parts.values();
    if (part === undefined || others.length > 0 || part.times !== 1n || part.of.isSize)
      return undefined;
    const { spot } = part.of;
    const common = this.divisors.reduce((all, each) => (all * each) / commonFactor(all, each), 1n);
    const by = common > 0n && common <= mostRests && common % divisor === 0n ? common : divisor;
    if (by > mostRests) return undefined;
    const rests = Array.from({ length: Number(by) }, (_, rest) => BigInt(rest));
    const key = `${spot.key} % ${by}`;
    const fact: Fact = { kind: 'rest', by, rest: 0n };
    const rest = this.ask({ key, choices: rests, spot, about: 'fact', fact }, known);
    if (typeof rest !== 'bigint') return sure;
    const left = modulo(rest + sum.plus, divisor);
    // It has the sign of what is divided.
    const isNegative = left > 0n && this.isAtMost(sum, -1n, known);
    if (isNegative === undefined) return sure;
    return { fails: 'never', constant: isNegative ? left - divisor : left };
  }

  protected tested(name: string, { spot }: Value, text: string, known: Case): Value | undefined {
    const isExact = name === 'matches' || isPlainText(text);
    const test = isExact ? textTests.get(name) : undefined;
    if (spot === undefined || test === undefined) return undefined;
    if (name === '_==_' && !isText(spot)) return undefined;
    const { found, source = found } = spot;
    const read =
      found === undefined ? spot.source?.read(name, text) : startIn(found.pattern, name, text);
    if (source === undefined || read === undefined) return this.matches(spot, test(text), known);
    return read === false ? ofAnswer(false) : this.matches(source.spot, read, known);
  }

  protected matches(spot: Spot, pattern: string, known: Case): Value | undefined {
    const isEither = isTextOrInteger(spot);
    if (typeof compilePattern(pattern) === 'string' || !(isEither || isText(spot)))
      return undefined;
    const fact: Fact = { kind: 'pattern', pattern };
    const follows = this.followsFrom(spot, pattern, known);
    if (follows !== undefined) return ofAnswer(follows);
    const key = `${spot.key} ~ ${pattern}`;
    const all: readonly Answer[] = isEither ? [...choices, failing] : choices;
    const answer = this.ask({ key, choices: all, spot, about: 'fact', fact }, known);
    if (answer === undefined && isEither) return unsure;
    return answer === failing ? failed : ofAnswer(asBoolean(answer));
  }

  /** Taken apart once: each question about a text asks for those that are answered. */
  private listedBy(pattern: string): readonly string[] | undefined {
    if (!this.lists.has(pattern)) this.lists.set(pattern, listedTexts(pattern));
    return this.lists.get(pattern);
  }

  /** Whether one of few texts matches, or none of fewer texts than are excluded. */
  private followsFrom(spot: Spot, pattern: string, known: Case): boolean | undefined {
    const texts = this.listedBy(pattern);
    for (const { atom, answer } of known.values()) {
      const { fact } = atom;
      if (fact?.kind !== 'pattern' || atom.spot?.key !== spot.key) continue;
      const listed = this.listedBy(fact.pattern);
      if (listed === undefined || fact.pattern === pattern) continue;
      this.looked += listed.length;
      if (answer === true) {
        const compiled = compilePattern(pattern);
        const matched = new Set(
          listed.map((text) => typeof compiled !== 'string' && compiled.test(text)),
        );
        if (matched.size === 1) return matched.has(true);
      } else if (answer === false && texts !== undefined) {
        const excluded = new Set(listed);
        if (texts.every((text) => excluded.has(text))) return false;
      }
    }
    return undefined;
  }

  /** `find` returns no text where the pattern matches nothing, and else one that it matches as a whole. */
  protected found(node: Node, { spot }: Value, pattern: string, known: Case): Value | undefined {
    const parsed = parsePattern(pattern);
    if (spot === undefined || parsed === undefined || leastLength(parsed) === 0) return undefined;
    const outcomes = outcomesOf(this.matches(spot, pattern, known) ?? sure);
    if (outcomes === no) return { fails: 'never', constant: '' };
    if (outcomes !== yes) return sure;
    const schema = readSchema({ type: 'string', minLength: 1, pattern: `^(?:${pattern})$` }, '$');
    const key = `(find ${spot.key} ${pattern})`;
    const place = { key, isOld: spot.isOld, steps: [], before: schema, after: schema };
    const term: Spot = { ...place, term: node, found: { spot, pattern } };
    // A question about a start is one about the whole text.
    const isStart = startIn(pattern, '_==_', '') !== undefined;
    return isStart ? { fails: 'never', spot: term } : this.atSpot(term, known);
  }

  /** Comparisons of two values, all by which of them is less, so that one answer decides the others. */
  protected lessThan(node: Node & { kind: 'call' }, at: Context): Outcomes | undefined {
    const [left, right] = operandsOf(node) as [Node, Node];
    // A number may be none that can be compared.
    if (!comparisons.has(node.name) || node.name === '_==_') return undefined;
    if (![left, right].every(({ type }) => ['int', 'string'].includes(type?.kind ?? '')))
      return undefined;
    const isTurned = node.name === '_>_' || node.name === '_<=_';
    const [one, two] = (isTurned ? [right, left] : [left, right]).map((each) =>
      this.keyOf(each, at.scope),
    );
    const isMore = at.known.get(`${two} < ${one}`)?.answer === true;
    const asked: Atom = { key: `${one} < ${two}`, choices, about: 'anything', node };
    const isSame = at.known.get(`? ${equalityKey([one ?? '', two ?? ''])}`)?.answer === true;
    const answer = isMore || isSame || one === two ? false : this.ask(asked, at.known);
    if (answer === undefined) return yes | no;
    const isNegated = node.name === '_<=_' || node.name === '_>=_';
    return (answer === true) === isNegated ? no : yes;
  }

  /** Undefined where both are possible: the text that nothing names may be one of an enumeration. */
  protected areSame(one: Constant | undefined, two: Constant | undefined): boolean | undefined {
    if (one === undefined || two === undefined) return undefined;
    if (one !== otherText && two !== otherText)
      return typeof one === typeof two ? one === two : undefined;
    const named = one === otherText ? two : one;
    return typeof named === 'string' && this.texts.includes(named) ? false : undefined;
  }

  /** A value of which nothing is known but its type, and that it is the same wherever it is asked for. */
  protected term(node: Node, at: Context, mayFail: boolean): Value {
    const schema = termSchemas.get(node.type?.name ?? '');
    if (schema === undefined) return mayFail ? unsure : sure;
    const key = this.keyOf(node, at.scope);
    if (mayFail) {
      const isRead = isReadBy(node, key);
      const asked: Atom = { key: isRead ?? `fails (${key})`, choices, about: 'anything', node };
      const answer = this.ask(asked, at.known);
      if (answer === undefined) return unsure;
      if (answer === (isRead === undefined)) return failed;
    }
    const spot = derivedSpot(node, key, schema, {});
    if (isText(spot)) return this.atSpot(spot, at.known);
    if (schema.type === 'number') {
      // It is neither less nor more than anything, and equal to nothing.
      const answer = this.ask({ key: `NaN (${key})`, choices, about: 'anything', node }, at.known);
      if (answer === undefined) return sure;
      if (answer === true) return { fails: 'never', constant: NaN };
      return { fails: 'never', spot };
    }
    return ofSum(sumOf({ spot, isSize: false }));
  }

  protected presenceOf({ fails, spot }: Value, field: string, known: Case): Value {
    if (fails === 'always') return failed;
    const name = fails === 'never' ? nameOf(spot, field) : undefined;
    if (spot === undefined || name === undefined) return unsure;
    const answer = this.isThere(spot, name, known);
    const isOdd = answer !== false && this.isFraction(innerOf(spot, name, field), known);
    if (isOdd === true) return failed;
    const outcomes = outcomesOf(ofAnswer(answer));
    return ofOutcomes(isOdd === undefined ? outcomes | failure : outcomes);
  }

  protected isFraction(spot: Spot, known: Case): boolean | undefined {
    if (!this.hasFractions) return false;
    const { before, after } = spot;
    // Within what a default may have made up, an object has given a value all the same.
    if (before === undefined && (after?.type === 'integer' || after?.intOrString)) return undefined;
    if (fractionOf(spot) === undefined) return false;
    const key = `fraction ${spot.key}`;
    return asBoolean(this.ask({ key, choices, spot, about: 'fraction' }, known));
  }

  /** Undefined where both are possible. */
  protected isThere(spot: Spot, name: string, known: Case): boolean | undefined {
    const { before, after } = spot;
    const inner = innerOf(spot, name, escapeName(name) ?? name);
    const atom: Atom = { key: `has ${inner.key}`, choices, spot: inner, about: 'presence' };
    if (before === undefined || after === undefined) return asBoolean(this.ask(atom, known));
    const { before: old, after: now } = inner;
    // Rules take null for absent.
    const isNullLeft =
      now?.nullable === true && (old?.nullable === true || old?.default !== undefined);
    // The default of a map's values stands for a null, and never for a key that is absent.
    if (after.properties?.get(name)?.default !== undefined && !isNullLeft) return true;
    if (old === undefined || now === undefined) return false;
    const isRequired = conjuncts(before).some(({ required }) => required.includes(name));
    if (isRequired && old.default === undefined && !old.nullable) return true;
    return asBoolean(this.ask(atom, known));
  }

  protected selected({ fails, spot }: Value, field: string, known: Case): Value {
    if (fails === 'always') return failed;
    const name = fails === 'never' ? nameOf(spot, field) : undefined;
    if (spot === undefined || name === undefined) return unsure;
    const isThere = this.isThere(spot, name, known);
    if (isThere === undefined) return unsure;
    if (!isThere) return failed;
    const [before, after] = [spot.before, spot.after].map((node) => node && fieldOf(node, name));
    // A null in a map is there, as a value of no use to what takes the type that is declared.
    const isNull = [before, after].some((node) => node?.nullable === true);
    if (isNull && spot.after?.properties?.has(name) !== true) return unsure;
    // An object made up by a default does not have to satisfy the old schema.
    const isFilled =
      typeof after?.default === 'object' &&
      (!hasSameDefault({ before, after }) || hasOtherDefault({ ...spot, before, after }));
    if (spot.before !== undefined && before === undefined) {
      const given = after?.default;
      const constant =
        typeof given === 'number'
          ? Number.isSafeInteger(given)
            ? BigInt(given)
            : undefined
          : given;
      if (isConstant(constant) && isPlainNode(after)) return { fails: 'never', constant };
    }
    const inner = innerOf(spot, name, field);
    return this.atSpot(isFilled ? { ...inner, before: undefined } : inner, known);
  }

  protected atSpot(spot: Spot, known: Case): Value {
    const { key, before, after } = spot;
    if (spot.term === undefined) this.read.set(key, spot);
    if (after !== undefined && !isReadable(after)) return unsure;
    const isOdd = this.isFraction(spot, known);
    if (isOdd !== false) return isOdd === undefined ? unsure : failed;
    if (before === undefined || after === undefined) return sure;
    if (!this.choices.has(key)) this.choices.set(key, this.choicesOf(before, after));
    const choices = this.choices.get(key);
    if (choices === undefined) return { fails: 'never', spot };
    const answer = this.ask({ key: `= ${key}`, choices, spot, about: 'value' }, known);
    return answer === undefined || answer === failing
      ? { fails: 'never', spot }
      : { fails: 'never', spot, constant: answer };
  }

  protected choicesOf(before: SchemaNode, after: SchemaNode): readonly Answer[] | undefined {
    if (before.intOrString || after.intOrString || before.type !== after.type) return undefined;
    if (before.type === 'boolean') return [true, false];
    if (before.type === 'integer') {
      const listed = listedValues(before);
      if (listed === undefined || !listed.every(Number.isSafeInteger)) return undefined;
      const all = [...listed, before.default, after.default].filter(Number.isSafeInteger);
      return all.length === 0 || all.length > maxTexts
        ? undefined
        : all.map((each) => BigInt(Number(each)));
    }
    if (before.type !== 'string' || before.format !== '' || after.format !== '') return undefined;
    const listed = listedValues(before);
    // An enum without any entry lets every text pass.
    if (listed !== undefined && listed.length > 0) {
      const all = [...listed, before.default, after.default].filter(
        (value): value is string => typeof value === 'string',
      );
      return all.length <= maxTexts ? [...new Set(all)] : undefined;
    }
    if (this.texts.length > maxTexts) return undefined;
    const given = [before.default, after.default];
    const texts = this.texts.filter((text) => given.includes(text) || accepts(before, text));
    return [...texts, otherText];
  }
}
