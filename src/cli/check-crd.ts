/** `olm-guard check crd OLD NEW`: the webhook's judgement before anything is applied. */
import { Argument, Command, Option } from 'commander';
import { collectCrds, type Collection, type FoundCrd } from '../crd/collect.js';
import { judgeUpgrade, referenceProfiles, type ReferenceProfile } from '../crd/index.js';
import { pairCrds } from '../crd/pairs.js';
import { parseDocuments } from '../documents/documents.js';
import { locate } from '../documents/positions.js';
import type { Place } from '../documents/index.js';
import { readSource } from '../documents/sources.js';
import type { Verdict } from '../finding.js';
import type { CheckResult } from '../report/check-report.js';
import { formats, render } from '../report/render.js';

interface Options {
  readonly profile: ReferenceProfile;
  readonly output: string;
}

export function checkCrdCommand(): Command {
  return new Command('crd')
    .description('compare two releases of CustomResourceDefinitions by the rules of OLM v1')
    .addArgument(new Argument('<old>', 'file, folder, bundle, git:REF:path or - (standard input)'))
    .addArgument(new Argument('<new>', 'the same for what is proposed'))
    .addOption(
      new Option('--profile <name>', 'whose rules')
        .choices([...referenceProfiles])
        .default('olm-v1'),
    )
    .addOption(
      new Option('-o, --output <format>', 'how to print').choices([...formats]).default('text'),
    )
    .action(async (oldSource: string, newSource: string, options: Options) => {
      const old = await read(oldSource);
      const fresh = await read(newSource);
      const pairs = pairCrds(old, fresh, { old: oldSource, new: newSource });
      const results = [
        ...pairs.changed.map((pair) => check(pair.old, pair.new, options.profile)),
        ...pairs.added.map(({ name }) => unchallenged(name, [])),
        ...pairs.removed.map(({ name }) =>
          unchallenged(name, [
            `${name} is only in ${oldSource}: if it is deleted from the cluster, its stored objects go with it`,
          ]),
        ),
      ];
      const denied = results.filter(({ verdict }) => !verdict.allowed).length;
      const counts = {
        allowed: results.length - denied,
        denied,
        added: pairs.added.length,
        removed: pairs.removed.length,
        otherDocuments: old.passedOver + fresh.passedOver,
      };
      process.stdout.write(
        render({ subject: 'CustomResourceDefinitions', results, counts }, options.output),
      );
      process.exitCode = denied === 0 ? 0 : 1;
    });
}

async function read(source: string): Promise<Collection> {
  const files = await readSource(source);
  return collectCrds(files.flatMap(({ file, bytes }) => parseDocuments(bytes, { file })));
}

function check(old: FoundCrd, fresh: FoundCrd, profile: ReferenceProfile): CheckResult {
  const {
    allowed,
    findings,
    message,
    errors,
    locate: place,
  } = judgeUpgrade(old.crd, fresh.crd, profile);
  const places = findings.map((finding): Place => {
    const location = place(finding);
    const side = location?.side === 'old' ? old : fresh;
    return locate(side.document, [...side.path, ...(location?.keys ?? [])]);
  });
  const verdict: Verdict = { allowed, findings, warnings: [] };
  return { name: fresh.name, verdict, output: { message, errors }, places };
}

function unchallenged(name: string, warnings: string[]): CheckResult {
  const verdict: Verdict = { allowed: true, findings: [], warnings };
  return { name, verdict, output: {}, places: [] };
}
