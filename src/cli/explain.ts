/** `olm-guard explain NAME`: what a rule checks and why, or a role is for; `RULE@PATH OLD NEW` for one finding. */
import { Command } from 'commander';
import { ruleNames, judgeChange, subjectOf } from '../checks/index.js';
import {
  printPage,
  printRole,
  groupNamed,
  groupNames,
  printGroup,
  ruleNamed,
  printTerm,
  termNames,
  isNamed,
  usualMode,
  checkOffline,
  profiles,
  type Policy,
  type Profile,
} from '../policy/index.js';
import { effectWords, isQualifiedRuleName, pairCrds, ruleOfChange } from '../upgrade/index.js';
import { type InvalidInputError, invalidInput } from '../text/documents/index.js';
import { provenBy } from '../rule/index.js';
import { append } from '../text/long-lists.js';
import { didYouMean } from '../text/nearest.js';
import { allFromStart, comparedSources, type ComparedSources } from './check/compared-sources.js';
import { readDefinitions } from './options/crd-source.js';
import { openPolicy, withTargetBranch } from './options/policy-option.js';
import { print } from './output.js';
import { exampleYaml, storedWrites } from '../report/index.js';
import { flags, withFlags } from './options/flags.js';

export function explainCommand(): Command {
  const command = new Command('explain').description(
    'explain a rule, an audience, a family, a profile, a word of the output, a ClusterRole of OLM, or one finding: RULE@PATH OLD NEW',
  );
  return withFlags(command, {
    '<rule>':
      'as findings name it, e.g. NoScopeChange; RULE@^.spec.size for one finding; clients or client-contract for all of them',
    '[old]': 'for one finding: OLD and NEW of check crd',
    '[new]': '',
    ...flags.profile(profiles, 'which rules decide about one finding'),
    '--policy <file>': 'what decides about one finding, as in check crd',
  }).action(
    async (
      asked: string,
      old: string | undefined,
      next: string | undefined,
      options: { readonly profile?: Profile; readonly policy?: string },
    ) => {
      const [rule = '', path] = split(asked);
      const page = path === undefined && old === undefined ? pageOf(rule) : undefined;
      if (page !== undefined) {
        await print(page);
        return;
      }
      // A change leads to the rule that finds it.
      const [given = '', change] = rule.split('/');
      if (change !== undefined && !isQualifiedRuleName(given, change)) throw unknownRule(rule);
      const described = ruleNamed(ruleOfChange.get(change ?? given) ?? given);
      if (described === undefined) throw unknownRule(rule);
      const about = printPage(described, change ?? given);
      if (path === undefined) {
        if (old !== undefined) throw noPath(rule, old);
        await print(about);
        return;
      }
      const loaded = await openPolicy(options.policy);
      const named = [old, next].filter((source) => source !== undefined);
      if (named.length < 2 && (loaded.policy.old === undefined || !(old ?? loaded.policy.paths))) {
        throw invalidInput(
          `${asked} needs OLD and NEW, as check crd does, e.g. olm-guard explain '${asked}' git:main:config/crd config/crd`,
        );
      }
      const sources = await allFromStart(comparedSources(named, loaded), loaded);
      const profile = options.profile ?? (rule === 'Proof' ? 'proof' : loaded.policy.profile);
      const policy = await withTargetBranch({ ...loaded.policy, profile }, sources[0]?.old);
      await print(about + (await explainFinding(rule, path, sources, policy)));
    },
  );
}

function pageOf(name: string): string | undefined {
  const group = groupNamed(name);
  if (group !== undefined) return printGroup(group, (family) => usualMode(family));
  return printRole(name) ?? (ruleNamed(name) === undefined ? printTerm(name) : undefined);
}

function split(asked: string): [rule: string, path?: string] {
  const at = asked.indexOf('@');
  return at < 0 ? [asked] : [asked.slice(0, at), asked.slice(at + 1)];
}

function noPath(rule: string, old: string): InvalidInputError {
  return invalidInput(
    `"${old}" is too much: a finding is named by its rule and path, e.g. ${rule}@^.spec.size`,
  );
}

function unknownRule(rule: string): InvalidInputError {
  const meant = didYouMean(rule, [
    ...ruleNames,
    ...ruleOfChange.keys(),
    ...groupNames,
    ...termNames,
  ]);
  const about = meant === '' ? namesAbout(rule) : [];
  const guess = about.length > 0 ? `; about that: ${about.join(', ')}` : meant;
  return invalidInput(`there is no rule "${rule}"${guess}; docs/rules.md has all of them`);
}

/** Rules and changes that a word is about, as `storage` is. */
function namesAbout(word: string): string[] {
  const start = word.toLowerCase();
  if (start.length < 3) return [];
  const names = new Set([...ruleNames, ...ruleOfChange.keys()]);
  return [...names].filter((name) => name.toLowerCase().startsWith(start)).sort();
}

const decisions = { error: 'denied', warning: 'warned', info: 'noted' } as const;

async function explainFinding(
  rule: string,
  path: string,
  compared: readonly ComparedSources[],
  policy: Policy,
): Promise<string> {
  const lines: string[] = [];
  const elsewhere = new Set<string>();
  const pairs: ReturnType<typeof pairCrds>['changed'][number][] = [];
  for (const sources of compared) {
    const [old, next] = [await readDefinitions(sources.old), await readDefinitions(sources.new)];
    append(pairs, pairCrds(old, next, sources).changed);
  }
  for (const pair of pairs) {
    const { findings } = judgeChange(pair.old, pair.new, { ...policy, enforce: 'proven' });
    const request = { oldObject: pair.old.crd.document, object: pair.new.crd.document };
    const question = { subject: subjectOf(pair.old), findings, request };
    const decided = checkOffline(question, policy, ruleNamed);
    for (const finding of decided.findings) {
      if (!isNamed(rule, finding)) continue;
      if ((finding.path ?? '') !== path) {
        if (finding.path !== undefined) elsewhere.add(finding.path);
        continue;
      }
      const { version = '', message, effect, witness, [provenBy]: proof } = finding;
      lines.push('', `${pair.new.name} ${version} ${path}`, `  ${message}`);
      if (effect !== undefined) {
        lines.push(
          `  proof: ${effectWords[effect]}${proof === undefined ? '' : `: ${proof.reason}`}`,
        );
      }
      for (const line of storedWrites(finding)) lines.push(`  ${line}`);
      const { decidedBy, severity } = finding;
      if (decidedBy !== undefined) lines.push(`  ${decidedBy} (${decisions[severity]})`);
      if (witness !== undefined) {
        const example = exampleYaml(witness).trimEnd().replaceAll(/^/gm, '    ');
        lines.push('  an object that shows it:', example);
      }
    }
  }
  if (lines.length === 0) {
    const guess = didYouMean(path, [...elsewhere]);
    throw invalidInput(`${policy.profile} finds nothing by ${rule} at ${path}${guess}`);
  }
  return lines.map((line) => `${line}\n`).join('');
}
