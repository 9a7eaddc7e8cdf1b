/** Walks the old and the new schema side by side and names every difference between them. */
import { type Release, type SchemaNode, typeOfSchema } from '../../../kubernetes/index.js';
import { wholeAt } from './change.js';
import { compareDefaults } from './defaults.js';
import type { Difference } from './difference.js';
import { uncheckedKeywords } from './coverage.js';
import type { Budget } from '../budget.js';
import { type Identities, PairIdentities } from '../identity.js';
import { compareFields } from './fields.js';
import { anything, conjuncts, undeclared } from '../shape.js';
import { differsIrrelevantly } from './irrelevant.js';
import { compareItems } from './lists.js';
import { compareLogic } from './logic.js';
import { compareNumbers } from './numbers.js';
import { isOfType, noteReshaped, type Pair, type TypeChange, type Walk } from './pair.js';
import { below, ordinary, type Place } from '../pin.js';
import { compareRules } from './cel-rules.js';
import type { RestoredField } from './revealed.js';
import { compareStrings } from './strings.js';
import { compareTypes } from './type-change.js';
import { compareReshapedValues, compareValues } from './enums.js';

/** In values: of two nodes, and of each node whose demands count beside those of the old one. */
const costOfPair = 50;
const costOfConjunct = 1;

export class SchemaWalk implements Walk {
  readonly identities: Identities;
  readonly reshaped: Place[] = [];
  readonly retyped = new Set<Place>();
  readonly around: Pair[] = [];
  readonly compiled: Walk['compiled'] = new Map<SchemaNode, []>();
  private readonly found: Difference[] = [];
  /** Whether a difference of the whole object stands for all that was not followed. */
  isCutShort = false;

  constructor(
    /** Pays for the walk, and later for making up candidates. */
    readonly budget: Budget,
    /** Walking stops when it has taken so much. */
    private readonly most: number,
    readonly release?: Release | undefined,
    identities?: Identities,
    /** Fields of the old schema that it has pruned itself, and another version has stored. */
    private readonly revealed?: RestoredField,
  ) {
    this.identities = identities ?? new PairIdentities(budget);
  }

  get differences(): readonly Difference[] {
    return this.found;
  }

  add(difference: Difference): void {
    const isNested = this.around.some(
      ({ before }, index) => before === anything && index < this.around.length - 1,
    );
    this.found.push(isNested ? { ...difference, isNested } : difference);
  }

  compare(pair: Pair): TypeChange {
    this.around.push(pair);
    const reshaped = this.compareNodes(pair);
    this.around.pop();
    return this.revealed?.roots.has(pair.before) === true ? 'presence' : reshaped;
  }

  private compareNodes(pair: Pair): TypeChange {
    const isSame = this.identities.same(pair.before, pair.after);
    if (isSame && this.revealed?.isAround(pair.before) !== true) return 'no';
    const cost = costOfPair + costOfConjunct * conjuncts(pair.before).length;
    if (this.budget.spent + cost > this.most) {
      this.budget.check();
      this.cutShort();
      return 'presence';
    }
    this.budget.spend(cost);
    const before = this.found.length;
    if (compareTypes(this, pair)) return 'inside';
    const isListed = compareValues(this, pair);
    if (!isListed) {
      compareNumbers(this, pair);
      compareStrings(this, pair);
    }
    const from = this.reshaped.length;
    const fields = compareFields(this, pair);
    const ofFields = this.reshaped.length;
    const items = compareItems(this, pair);
    noteReshaped(this, below(pair.place, { kind: 'item' }), items, ofFields);
    if (isOfType(items)) fields.retyped.add(undeclared);
    else if (items !== 'no') fields.reshaped.add(undeclared);
    if (fields.reshaped.size > 0) compareReshapedValues(this, pair);
    compareLogic(this, pair, fields.reshaped);
    const isRetyped = celTypeOf(pair.before) !== celTypeOf(pair.after);
    compareRules(this, pair, from, isRetyped);
    const isFilled = compareDefaults(this, pair);
    const missed = uncheckedKeywords(pair, isListed, this.identities);
    if (missed.length > 0) {
      // Whatever else is found at the place, they may still break there.
      const reason = `the schemas differ in ${missed.join(', ')}, which no rule here compares`;
      this.addWhole({ place: pair.place, reason });
    } else if (this.found.length === before && pair.mode === 'structure' && !isSame) {
      this.addUnexplained(pair);
    }
    if (isFilled || isNullOtherwise(pair)) return 'presence';
    if (fields.reshaped.size > 0) return 'inside';
    if (isRetyped) return 'retyped';
    return fields.retyped.size > 0 ? 'retypedInside' : 'no';
  }

  /** Reported for the whole object: it holds for every place that no other difference names. */
  private cutShort(): void {
    if (this.isCutShort) return;
    this.isCutShort = true;
    const reason = 'the schemas differ in more places than are followed';
    this.addWhole({ place: undefined, isOfAll: true, reason });
  }

  private addWhole(difference: Pick<Difference, 'place' | 'isOfAll' | 'reason'>): void {
    const change = wholeAt(difference.place);
    this.add({ ...difference, proof: 'open', change, candidates: () => [ordinary] });
  }

  /** Proves a difference that no rule named irrelevant, or tries it. */
  private addUnexplained(pair: Pair): void {
    const { before, after, place } = pair;
    if (differsIrrelevantly(before, after, this.identities)) {
      this.add({ place, proof: 'safe', reason: 'it says nothing about values of this type' });
      return;
    }
    this.addWhole({ place, reason: 'the schemas differ in a way that no rule here explains' });
  }

  attempt(pair: Pair): readonly Difference[] {
    const { budget, release, identities, revealed } = this;
    // Candidates are looked for long after the walk, when much of the budget is spent.
    const most = budget.spent + budget.left / 2;
    const inner = new SchemaWalk(budget, most, release, identities, revealed);
    inner.compare(pair);
    return inner.differences;
  }
}

/** The CEL type of the node's own value; rules in fields and items cover objects and lists. */
function celTypeOf(node: SchemaNode): string | undefined {
  const isMap = node.additionalProperties?.schema !== undefined;
  if (!node.intOrString && (node.type === 'object' || node.type === 'array')) {
    return isMap ? 'map' : node.type;
  }
  return typeOfSchema(node, false)?.name;
}

/** A null that is kept now and was not, or the other way round; dropped where no default was set. */
function isNullOtherwise({ before, after }: Pair): boolean {
  if (before.nullable === after.nullable) return false;
  return before.nullable || before.default !== undefined;
}
