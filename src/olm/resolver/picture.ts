import type { Cause } from './cause.js';
import type { Entry } from './entry.js';
import { causesOf } from './explain.js';
import type { SubscriptionState } from './namespace.js';
import type { NamespaceProblem } from './namespace-problem.js';
import { refusalsOf, type Refusal } from './refusals.js';
import type { Resolution } from './resolve.js';
import type { Solution } from './satisfiability.js';
import type { Universe } from './universe.js';
import { describeNeed } from './wording.js';

export interface PictureBox {
  readonly id: string;
  readonly title: string;
  readonly note: string;
  /**
   * `blocked`: what OLM would have preferred to its choice; `need`: what an operator asks for;
   * `rule`: what forbids; `nothing`: a need that nothing meets.
   */
  readonly kind: 'subscription' | 'install' | 'upgrade' | 'keep' | 'blocked' | 'candidate' | 'need' | 'rule' | 'nothing'; // prettier-ignore
}

export interface PictureLine {
  readonly from: string;
  readonly to: string;
  /** `out`: what the rule it comes from, or goes to, forbids. */
  readonly kind: 'needs' | 'met-by' | 'out';
}

export interface ResolutionPicture {
  readonly title: string;
  readonly boxes: readonly PictureBox[];
  readonly lines: readonly PictureLine[];
}

/** Candidates of one need that are drawn; the others are counted. */
const maxCandidates = 6;
/** How many rejected candidates of a pick are shown. */
const maxBlocked = 3;

/** A resolution that ended before the solver, or gave up, has a title and no boxes. */
export function pictureOf(namespace: string, resolution: Resolution): ResolutionPicture {
  const { problem, solution, universe } = resolution;
  const picture = new Picture();
  if (problem !== undefined && solution?.kind === 'solution') {
    const chosen = new Set(
      solution.picks.flatMap(({ variable }) => problem.entries[variable] ?? []),
    );
    drawSolution(picture, problem, chosen);
    if (universe !== undefined) drawBlocked(picture, { universe, problem, solution, chosen });
    return picture.finish(`What OLM does in namespace ${namespace}`);
  }
  for (const cause of causesOf(resolution)) drawCause(picture, cause);
  return picture.finish(`Why nothing can be done in namespace ${namespace}`);
}

class Picture {
  private readonly boxes = new Map<string, PictureBox>();
  private readonly lines = new Map<string, PictureLine>();

  box(box: PictureBox): string {
    if (!this.boxes.has(box.id)) this.boxes.set(box.id, box);
    return box.id;
  }

  line(from: string, to: string, kind: PictureLine['kind']): void {
    this.lines.set(`${from}\n${to}`, { from, to, kind });
  }

  has(id: string): boolean {
    return this.boxes.has(id);
  }

  finish(title: string): ResolutionPicture {
    const lines = [...this.lines.values()];
    return { title, boxes: [...this.boxes.values()], lines };
  }
}

function drawSolution(
  picture: Picture,
  { constraints, causeOf, replaced }: NamespaceProblem,
  chosen: ReadonlySet<Entry>,
): void {
  const draw = (entry: Entry): string =>
    picture.box(
      entryBox(entry, entry.installed ? 'keep' : replaced.has(entry.id) ? 'upgrade' : 'install'),
    );
  const causes = Array.from(
    { length: constraints.length },
    (_, index) => causeOf(index) ?? [],
  ).flat();
  for (const cause of causes) {
    if (cause.kind !== 'subscription-requires') continue;
    const met = cause.candidates.find((entry) => chosen.has(entry));
    const subscription = picture.box(subscriptionBox(cause.subscription));
    if (met !== undefined) picture.line(subscription, draw(met), 'met-by');
  }
  for (const entry of chosen) draw(entry);
  for (const cause of causes) {
    if (cause.kind !== 'requires' || !chosen.has(cause.entry)) continue;
    const met = cause.candidates.find((entry) => chosen.has(entry));
    // A bundle that meets its own need explains nothing.
    if (met === undefined || met === cause.entry) continue;
    const need = picture.box(needBox(cause));
    picture.line(draw(cause.entry), need, 'needs');
    picture.line(need, draw(met), 'met-by');
  }
}

/** Draws preferred candidates that were not chosen, beside those chosen in their place, and why. */
function drawBlocked(
  picture: Picture,
  {
    universe,
    problem,
    solution,
    chosen,
  }: {
    readonly universe: Universe;
    readonly problem: NamespaceProblem;
    readonly solution: Solution & { kind: 'solution' };
    readonly chosen: ReadonlySet<Entry>;
  },
): void {
  for (const [{ constraint }, refusals] of refusalsOf(universe, problem, solution)) {
    const cause = constraint === undefined ? undefined : problem.causeOf(constraint);
    const asks =
      cause?.kind === 'subscription-requires'
        ? picture.box(subscriptionBox(cause.subscription))
        : cause?.kind === 'requires'
          ? picture.box(needBox(cause))
          : undefined;
    if (asks === undefined) continue;
    for (const refusal of refusals.slice(0, maxBlocked)) {
      const { entry } = refusal;
      const note = shorten(briefOf(refusal));
      picture.line(asks, picture.box({ ...entryBox(entry, 'blocked'), note }), 'out');
      for (const each of refusal.causes) {
        const rivals = rivalsOf(each, entry, chosen);
        // The rule itself is said by two versions side by side.
        for (const rival of rivals) picture.line(entry.id, rival.id, 'out');
        if (rivals.length === 0) drawCause(picture, each, chosen);
      }
    }
    const rest = refusals.length - maxBlocked;
    if (rest <= 0) continue;
    const id = `${asks}\nmore blocked`;
    const more = picture.box({ id, title: `and ${rest} more`, note: '', kind: 'blocked' });
    picture.line(asks, more, 'out');
  }
}

/** The chosen entry among those of which at most one can be. */
function rivalsOf(cause: Cause, entry: Entry, chosen: ReadonlySet<Entry>): Entry[] {
  if (cause.kind !== 'one-per-package' && cause.kind !== 'one-provider') return [];
  if (!cause.entries.includes(entry)) return [];
  return cause.entries.filter((each) => chosen.has(each));
}

function briefOf({ entry, causes, reason }: Refusal): string {
  const needs = causes.filter((cause) => cause.kind === 'requires');
  const need = needs.find((cause) => cause.entry !== entry) ?? needs[0];
  if (need !== undefined) {
    const who = need.entry === entry ? '' : `${need.entry.name} `;
    return `${who}needs ${describeNeed(need.requirement.predicate())}`;
  }
  for (const cause of causes) {
    if (cause.kind === 'deprecated') return 'deprecated';
    if (cause.kind === 'one-provider') return `${cause.api} has a provider`;
    if (cause.kind === 'one-per-package') return `package ${cause.package} is taken`;
  }
  return reason;
}

/** @param chosen where there is a solution: of the options that meet a need, these alone are drawn */
function drawCause(picture: Picture, cause: Cause, chosen?: ReadonlySet<Entry>): void {
  const draw = (entry: Entry): string =>
    picture.box(entryBox(entry, entry.installed ? 'keep' : 'candidate'));
  const options = (from: string, all: readonly Entry[]): void => {
    const taken = all.filter((entry) => chosen?.has(entry));
    const entries = taken.length > 0 ? taken : all;
    for (const entry of entries.slice(0, maxCandidates)) picture.line(from, draw(entry), 'met-by');
    const rest = entries.length - maxCandidates;
    if (rest <= 0) return;
    const id = `${from}\nmore`;
    const more = picture.box({ id, title: `and ${rest} more`, note: '', kind: 'candidate' });
    picture.line(from, more, 'met-by');
  };
  const forbid = (id: string, title: string, entries: readonly Entry[]): void => {
    const rule = picture.box({ id: `rule\n${id}`, title, note: 'at most one', kind: 'rule' });
    const shown = entries.filter((entry) => picture.has(entry.id));
    for (const entry of shown.length > 1 ? shown : entries.slice(0, maxCandidates)) {
      picture.line(draw(entry), rule, 'out');
    }
  };
  switch (cause.kind) {
    case 'subscription-exists':
      picture.box(subscriptionBox(cause.subscription));
      return;
    case 'subscription-invalid': {
      const from = picture.box(subscriptionBox(cause.subscription));
      const note = cause.reason.replace(/ referenced by subscription .*$/, '');
      picture.line(from, picture.box(nothing(from, note)), 'out');
      return;
    }
    case 'subscription-requires': {
      const from = picture.box(subscriptionBox(cause.subscription));
      const entries = [...new Set(cause.candidates)];
      if (entries.length > 0) options(from, entries);
      else picture.line(from, picture.box(nothing(from, 'every entry is skipped')), 'out');
      return;
    }
    case 'unsubscribed-csv':
      picture.box({ ...entryBox(cause.entry, 'keep'), note: 'runs without a subscription' });
      return;
    case 'deprecated': {
      const id = `rule\ndeprecated ${cause.entry.id}`;
      const rule = picture.box({ id, title: 'deprecated', note: 'never chosen', kind: 'rule' });
      picture.line(draw(cause.entry), rule, 'out');
      return;
    }
    case 'requires': {
      const need = picture.box(needBox(cause));
      picture.line(draw(cause.entry), need, 'needs');
      if (cause.candidates.length > 0) options(need, [...new Set(cause.candidates)]);
      else picture.line(need, picture.box(nothing(need, 'nothing meets this')), 'out');
      return;
    }
    case 'one-per-package':
      forbid(cause.package, `package ${cause.package}`, cause.entries);
      return;
    case 'one-provider':
      forbid(cause.api, `provider of ${cause.api}`, cause.entries);
      return;
    case 'replaces':
      forbid(cause.entry.id, `replaces ${cause.current.name}`, [cause.entry, cause.current]);
      return;
    case 'forbids':
      picture.line(draw(cause.entry), draw(cause.other), 'out');
  }
}

function entryBox(
  entry: Entry,
  kind: 'install' | 'upgrade' | 'keep' | 'blocked' | 'candidate',
): PictureBox {
  const { id, name: title, channel, catalog, installed } = entry;
  return { id, title, kind, note: installed ? 'installed' : `${channel}, ${catalog.name}` };
}

function subscriptionBox({ name, ...subscription }: SubscriptionState): PictureBox {
  const channel = (subscription.channel ?? '') === '' ? 'any channel' : subscription.channel;
  const note = `${subscription.package}, ${channel}`;
  return { id: `subscription\n${name}`, title: name, note, kind: 'subscription' };
}

function needBox({ entry, requirement }: Cause & { kind: 'requires' }): PictureBox {
  const text = describeNeed(requirement.predicate());
  return { id: `need\n${entry.id}\n${text}`, title: shorten(text), note: '', kind: 'need' };
}

function nothing(from: string, note: string): PictureBox {
  return { id: `${from}\nnothing`, title: shorten(note), note: '', kind: 'nothing' };
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}
