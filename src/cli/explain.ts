/** `olm-guard explain RULE`: what a rule checks and why; `RULE@PATH OLD NEW` for one finding. */
import { Command } from 'commander';
import { explainRule, ruleNamesExplained } from '../operations/rule-pages.js';
import { InvalidInputError, stringifyJson } from '../documents/index.js';
import { nearest } from '../nearest.js';
import { profiles, type Profile } from '../policy/policy.js';
import { judgePair } from './crd-judgement.js';
import { readDefinitions } from './crd-source.js';
import { pairCrds } from '../crd/pairs.js';

export function explainCommand(): Command {
  return new Command('explain')
    .description('explain a rule, or one finding of it: RULE@PATH OLD NEW')
    .argument('<rule>', 'as findings name it, e.g. NoScopeChange; RULE@^.spec.size for one finding')
    .argument('[old]', 'for one finding: as for check crd')
    .argument('[new]')
    .option('--profile <name>', `whose rules: ${profiles.join(', ')}`)
    .action(
      async (
        asked: string,
        old: string | undefined,
        fresh: string | undefined,
        options: { readonly profile?: string },
      ) => {
        const [rule = '', path] = split(asked);
        const page = explainRule(rule);
        if (page === undefined) throw unknownRule(rule);
        process.stdout.write(page);
        if (path === undefined) return;
        if (old === undefined || fresh === undefined) {
          throw new InvalidInputError('E_INPUT', `${asked} needs OLD and NEW, as check crd does`);
        }
        const profile = options.profile ?? (rule === 'Proof' ? 'proof' : 'olm-v1');
        const known = profiles.find((each) => each === profile);
        if (known === undefined) {
          throw new InvalidInputError('E_INPUT', `there is no profile "${profile}"`);
        }
        process.stdout.write(await explainFinding(rule, path, { old, new: fresh }, known));
      },
    );
}

function split(asked: string): [rule: string, path?: string] {
  const at = asked.indexOf('@');
  return at < 0 ? [asked] : [asked.slice(0, at), asked.slice(at + 1)];
}

function unknownRule(rule: string): InvalidInputError {
  const near = nearest(rule, ruleNamesExplained());
  const hint = near === undefined ? '' : `; is ${near} meant?`;
  return new InvalidInputError('E_INPUT', `there is no rule "${rule}"${hint}`);
}

async function explainFinding(
  rule: string,
  path: string,
  sources: { readonly old: string; readonly new: string },
  profile: Profile,
): Promise<string> {
  const [old, fresh] = [await readDefinitions(sources.old), await readDefinitions(sources.new)];
  const lines: string[] = [];
  for (const pair of pairCrds(old, fresh, sources).changed) {
    const { findings, proofs } = judgePair(pair.old, pair.new, profile);
    for (const [index, finding] of findings.entries()) {
      if (finding.rule !== rule || (finding.path ?? '') !== path) continue;
      const { version = '', message, effect = '', witness } = finding;
      lines.push('', `${pair.new.name} ${version} ${path}`, `  ${message}`);
      const reason = proofs[index]?.reason;
      lines.push(`  proof: ${effect}${reason === undefined ? '' : `: ${reason}`}`);
      if (witness !== undefined) lines.push(`  witness: ${stringifyJson(witness)}`);
    }
  }
  if (lines.length === 0) {
    throw new InvalidInputError('E_INPUT', `${profile} finds nothing by ${rule} at ${path}`);
  }
  return lines.map((line) => `${line}\n`).join('');
}
