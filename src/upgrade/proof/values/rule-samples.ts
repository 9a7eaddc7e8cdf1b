/**
 * Values that the rules of a schema accept. Made-up values are put to the rules; where one fails, the
 * value is made again with what the rules name: fields, texts, numbers, strings that patterns match.
 * Nothing here decides anything: whatever is made is put whole to both schemas afterwards.
 */
import { sha256 } from '../../../text/platform.js';
import { compileRules, Defaults, type SchemaNode, wholeObject } from '../../../kubernetes/index.js';
import { stringifyJson, type JsonValue } from '../../../text/documents/index.js';
import type { Budget } from '../budget.js';
import { compileAssumed, type RuleCases, ruleCases } from './cases/rule-cases.js';
import { mergePins, type Pin } from '../pin.js';
import { Remembered } from './remembered.js';
import type { Mending, RuleMender } from './sampler.js';
import { chained } from '../../../text/long-lists.js';
import { accepts } from '../shape.js';
import { sizeOf } from '../size.js';

/** Most replacements tried for one value that is refused. */
const maxTries = 120;
/** Each has to break fewer rules than the one before. */
const maxRounds = 16;
/** Values of one schema that could not be mended, before only what has held is tried. */
const maxFailures = 3;
/** Different values for one place. */
const maxSamples = 12;

/** Values whose answers are kept, of all schemas together: most of an object is made again as it was. */
const maxAnswers = 20_000;
/** Longer texts are kept by their hash. */
const maxKept = 128;

/** Written out to be looked up. */
const charactersPerValue = 100;

/** How many rules a value breaks; those that cannot be evaluated count too. */
interface Broken {
  /** For the rules of the schema itself. */
  readonly own: number;
  /** For the rules below it. */
  readonly within: number;
}

interface Rules {
  readonly broken: (value: JsonValue) => Broken;
  /** Pins that may make the rules hold. */
  readonly pins: Remembered<Pin>;
  /** Pins that have made the rules hold, the latest first. */
  readonly held: Pin[];
  failures: number;
}

interface Attempt {
  readonly mending: Pin | undefined;
  readonly value: JsonValue;
  readonly broken: Broken;
}

/** One for each search, so that what it costs depends on nothing that was asked before. */
export class RuleSamples implements RuleMender {
  private readonly known = new Map<SchemaNode, Rules>();
  private answers = 0;
  /** How much of the budget may be spent; who asks sets it. */
  until = Infinity;

  constructor(private readonly budget: Budget) {}

  private get isOver(): boolean {
    return this.budget.isSpent || this.budget.spent >= this.until;
  }

  mend({ node, isResource, value, pin, make }: Mending): JsonValue {
    // Where OpenAPI validation refuses the value, the pin has asked for that.
    if (this.isOver || !accepts(node, value)) return value;
    const rules = this.rulesOf(node, isResource);
    let best: Attempt = { mending: undefined, value, broken: rules.broken(value) };
    let tries = rules.failures < maxFailures ? maxTries : rules.held.length;
    for (let round = 0; round < maxRounds && best.broken.own > 0; round++) {
      const from = best;
      // Successful pins first, as they are now; the others are made only as they are needed.
      for (const more of chained([...rules.held], rules.pins)) {
        if (tries-- <= 0 || this.isOver) break;
        // The requested pin wins, then the newest mending.
        const mending = from.mending === undefined ? more : mergePins(more, from.mending);
        const made = make(mergePins(pin, mending));
        if (made === undefined || !accepts(node, made)) continue;
        const broken = rules.broken(made);
        if (broken.own >= from.broken.own || broken.within > from.broken.within) continue;
        best = { mending, value: made, broken };
        break;
      }
      if (best === from) break;
    }
    if (best.broken.own > 0) rules.failures++;
    else if (best.mending !== undefined) {
      const text = textOf(best.mending);
      const others = rules.held.filter((each) => textOf(each) !== text);
      rules.held.splice(0, Infinity, best.mending, ...others.slice(0, maxSamples - 1));
    }
    return best.value;
  }

  private rulesOf(node: SchemaNode, isResource: boolean): Rules {
    let rules = this.known.get(node);
    if (rules === undefined) this.known.set(node, (rules = this.makeRules(node, isResource)));
    return rules;
  }

  private makeRules(node: SchemaNode, isResource: boolean): Rules {
    const compiled = compileRules(node, isResource);
    const defaults = new Defaults(node);
    const answers = new Map<string, Broken>();
    const broken = (value: JsonValue): Broken => {
      const text = stringifyJson(value);
      const key = keyOf(text);
      let answer = answers.get(key);
      this.budget.spend(1 + text.length / charactersPerValue);
      if (answer === undefined) {
        const whole = defaults.apply(value);
        const outcome = compiled?.evaluate(whole, undefined, undefined, {
          most: this.budget.stepsLeft,
        });
        const fields = [...(outcome?.errors ?? []), ...(outcome?.notEvaluated ?? [])];
        const own = fields.filter(({ field }) => field === wholeObject).length;
        answer = { own, within: fields.length - own };
        if (this.answers++ < maxAnswers) answers.set(key, answer);
        this.budget.spend(sizeOf(whole));
        this.budget.spendSteps(outcome?.steps ?? 0);
      }
      return answer;
    };
    const pins = new Remembered(mendings(node, isResource, this.budget));
    return { broken, pins, held: [], failures: 0 };
  }
}

/** Pins that break the opposite of a rule: of each by itself, and where the others hold. */
function* mendings(node: SchemaNode, isResource: boolean, budget: Budget): Generator<Pin> {
  const seen = new Set<string>();
  const cases: RuleCases[] = [];
  const all = compileAssumed(node, node.rules, budget);
  const pins = function* (): Generator<Pin> {
    for (const known of node.rules.length > 1 ? [[], all] : [[]]) {
      for (const rule of node.rules) {
        const opposite = { ...rule, rule: `!(${rule.rule}\n)`, messageExpression: '' };
        const found = ruleCases(node, node, opposite, known, isResource, budget, undefined, share);
        if (found !== undefined) cases.push(found);
        yield* found?.pins ?? [];
      }
    }
    for (const each of cases) yield* each.near();
  };
  for (const pin of pins()) {
    const text = textOf(pin);
    if (!seen.has(text)) yield pin;
    seen.add(text);
  }
}

/** Part of what is left of the budget that the cases of one rule may cost here. */
const share = 1 / 50;

function textOf(pin: Pin): string {
  const text = JSON.stringify(pin, (_key, value: unknown) =>
    value instanceof Map ? [...(value as Map<string, Pin>)] : value,
  );
  return keyOf(text);
}

function keyOf(text: string): string {
  return text.length <= maxKept ? text : sha256(text).toString('base64');
}
