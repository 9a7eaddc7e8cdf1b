/** Explains a decision to the caller, in sentences. */
import type { Finding } from '../rule/index.js';
import { upgradeRuleNamed, isRefusedByServer } from '../upgrade/index.js';
import type { BypassEvaluation } from './bypass.js';
import type { DecidedFinding, Decision } from './decide.js';

/** In their order, with all findings about one removed version together at the place of the first. */
export function groupByRemovedVersion<Said>(
  all: readonly Said[],
  findingOf: (said: Said) => Finding,
): [Said, ...Said[]][] {
  const groups: [Said, ...Said[]][] = [];
  const known = new Map<string, [Said, ...Said[]]>();
  for (const said of all) {
    const { rule, version, object } = findingOf(said);
    const key =
      version !== undefined && upgradeRuleNamed(rule)?.groupsWith === 'removed-version'
        ? JSON.stringify([object?.name, version])
        : undefined;
    const group = key === undefined ? undefined : known.get(key);
    if (group !== undefined) {
      group.push(said);
      continue;
    }
    const made: [Said, ...Said[]] = [said];
    groups.push(made);
    if (key !== undefined) known.set(key, made);
  }
  return groups;
}

/** Which switch-off was used, which did not count and why, which exemptions have expired. */
export function explainDecision(
  decision: Decision,
  bypass: Pick<BypassEvaluation, 'problems' | 'requestOnly'>,
): string[] {
  return [
    ...explainBypasses(decision),
    ...bypass.problems,
    ...(decision.allowed ? [] : bypass.requestOnly),
    ...decision.warnings,
  ];
}

/** Warnings, what the denial's text leaves out, and one sentence for all that `enforce: proven` lets pass. */
export function explainWarned(decided: readonly DecidedFinding[], command: string): string[] {
  const reported = decided.filter(
    ({ disposition, bypass, finding }) =>
      (disposition === 'warned' && bypass === undefined) ||
      // The text of the denial is that of the reference, which does not mention this finding.
      (disposition === 'denied' && finding.reference !== undefined),
  );
  const unproven = reported.filter(({ isUnproven }) => isUnproven === true);
  const single =
    unproven.length === 1 ? reported : reported.filter((each) => !unproven.includes(each));
  const sentence = ({ finding, because }: DecidedFinding): string => {
    const note = because === undefined ? '' : ` (not denied: ${because})`;
    return `${finding.rule}: ${finding.message}${note}`;
  };
  return [
    ...groupByRemovedVersion(single, ({ finding }) => finding).map((all) =>
      all.map(sentence).join('; also '),
    ),
    ...(unproven.length > 1 ? [explainUnproven(unproven, command)] : []),
  ];
}

/** One sentence for each exemption and promise that was used: the caller does not see what is only noted. */
export function explainExempt(decided: readonly DecidedFinding[]): string[] {
  const rules = new Map<string, string[]>();
  for (const { because = '', isExempt, finding, disposition } of decided) {
    const isPromised = disposition === 'audited' && because === finding.decidedBy;
    if (isExempt === true || isPromised)
      rules.set(because, [...(rules.get(because) ?? []), finding.rule]);
  }
  return [...rules].map(([because, names]) => `${because}: ${notEnforced(names)}`);
}

const effectCounts: readonly (readonly [Finding['effect'], string])[] = [
  ['safe', 'proven to break no object'],
  ['behavior', 'break no object, but change what an unchanged manifest means'],
  ['undecided', 'neither proven harmless nor harmful'],
  [undefined, 'without a proof'],
];

function explainUnproven(unproven: readonly DecidedFinding[], command: string): string {
  const counts = effectCounts.flatMap(([effect, words]) => {
    const count = unproven.filter(({ finding }) => finding.effect === effect).length;
    return count === 0 ? [] : [{ count, words }];
  });
  const shares = counts.map(({ count, words }) => `${count} ${words}`);
  const summary =
    counts.length === 1 && counts[0] !== undefined ? `all ${counts[0].words}` : shares.join(', ');
  return `${unproven.length} changes that the rules refuse are not denied: ${summary} (each by: ${command})`;
}

function explainBypasses(decision: Decision): string[] {
  return decision.bypassed.flatMap(({ bypass, family }) => {
    const passed = decision.decided
      .filter((each) => each.bypass === bypass && each.finding.family === family)
      .map(({ finding }) => finding);
    const rules = passed.map(({ rule }) => rule);
    return [
      `${family} is switched off by ${bypass.description}: ${notEnforced(rules)}`,
      ...passed
        .filter(({ rule }) => isRefusedByServer(rule))
        .map(({ rule, message }) => `${rule}: ${message}: Kubernetes itself refuses this`),
    ];
  });
}

function notEnforced(rules: readonly string[]): string {
  const count = `${rules.length} finding${rules.length === 1 ? '' : 's'}`;
  return `${count} not enforced (${[...new Set(rules)].join(', ')})`;
}
