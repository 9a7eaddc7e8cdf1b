import { duration, formatCount } from '../text/plural.js';
import { firstNames } from '../text/shortened.js';
import { visible } from '../text/visible.js';
import type { MigrationPlan, MigrationResult, Verification } from '../cluster/index.js';

/** How many names and sentences of a kind are printed; JSON has all that were kept. */
const shown = 20;

/** A label and a line; empty where there is nothing to say. */
type Row = readonly [label: string, text: string] | readonly [];

/** @param asked versions that the user named with --leaving */
export function renderPlan(plan: MigrationPlan, asked: readonly string[]): string {
  const { leavingVersions: leaving, unprovenVersions: unproven, objects, toWrite, managers } = plan;
  const { converter = [], dropped, namingLeaving } = plan;
  const namesLeaving = managers.filter((each) => each.leaves);
  const left = namesLeaving.length - shown;
  const next = [
    ...['olm-guard migrate run', plan.name],
    ...new Set([...asked, ...unproven].map((each) => `--leaving ${each}`)),
    ...(dropped.length > 0 ? ['--drop-fields, or first give the storage version the fields'] : []),
  ];
  return table(plan.name, [
    ['storage', `${plan.storageVersion}; stored are ${plan.storedVersions.join(', ')}`],
    ['leaving', leaving.length === 0 ? 'no version' : leaving.join(', ')],
    unproven.length === 0
      ? []
      : [
          'unproven',
          `${unproven.join(', ')}: not in status.storedVersions, where somebody may have taken it out, and nothing shows that no object is stored in it`,
        ],
    [
      'objects',
      `${formatCount(objects)}, of which at most ${formatCount(toWrite)} must be written`,
    ],
    ['time', `about ${duration(plan.seconds)}`],
    [
      'managers',
      namingLeaving === 0
        ? 'no managedFields name a version that leaves'
        : `managedFields of ${formatCount(namingLeaving)} ${namingLeaving === 1 ? 'object' : 'objects'} name a version that leaves`,
    ],
    ...namesLeaving.slice(0, shown).map(({ manager, version, isApply, objects, last }): Row => {
      const who = manager === '' ? 'a manager without a name' : manager;
      const when = last === '' ? '' : `, last ${last}`;
      const what = `${isApply ? 'applied' : 'wrote'} ${formatCount(objects)} as ${version}${when}`;
      return ['', `${who} ${what}`];
    }),
    left > 0 ? ['', `and ${formatCount(left)} more`] : [],
    ...dropped.map(({ version, fields }): Row => [
      'loses',
      `${firstNames(fields, shown)} of ${version}: the storage version has no such field; run refuses without --drop-fields`,
    ]),
    ...converter.map(({ version, milliseconds, error }): Row => [
      'converter',
      error === undefined
        ? `answered for ${version} within ${milliseconds} ms`
        : `${version} cannot be read: ${error}`,
    ]),
    ['next', plan.isDone ? 'nothing is left to do' : next.join(' ')],
  ]);
}

export function renderResult(result: MigrationResult): string {
  const { isDryRun, failed, failures, verification, kept, inTree } = result;
  const would = isDryRun ? ' would be' : '';
  const left = failures - Math.min(failed.length, shown);
  const stay = kept === undefined ? '' : `, as ${kept}`;
  return table(result.name, [
    [
      'objects',
      `${formatCount(result.objects)}, of which ${formatCount(result.written)}${would} written as ${result.storageVersion}`,
    ],
    inTree === undefined
      ? []
      : [
          'in-tree',
          `${isDryRun ? 'the cluster would migrate' : 'migrated by the cluster'}: StorageVersionMigration ${inTree.name} (${inTree.apiVersion})`,
        ],
    ['moved', `${formatCount(result.movedEntries)} entries of managedFields${would}`],
    ...failed.slice(0, shown).map(({ name, reason }): Row => ['refused', `${name}: ${reason}`]),
    failures > shown ? ['refused', `and ${formatCount(left)} more`] : [],
    ...(verification === undefined ? [] : verificationRows(verification)),
    ['stored', `status.storedVersions: ${result.storedVersions.join(', ')}${stay}`],
  ]);
}

export function renderVerification(name: string, verification: Verification): string {
  return table(name, [
    ['objects', formatCount(verification.objects)],
    ...verificationRows(verification),
    ['verified', verification.problems.length === 0 ? 'it holds' : 'it does not hold'],
  ]);
}

function verificationRows({ applied, problems, untried }: Verification): Row[] {
  const listed = (label: string, sentences: readonly string[]): Row[] => [
    ...sentences.slice(0, shown).map((each): Row => [label, each]),
    sentences.length > shown ? [label, `and ${formatCount(sentences.length - shown)} more`] : [],
  ];
  return [
    [
      'applies',
      `${formatCount(applied)} server-side ${applied === 1 ? 'apply' : 'applies'} passed a dry run, each as another manager`,
    ],
    ...listed('problem', problems),
    ...listed('untried', untried),
  ];
}

function table(name: string, rows: readonly Row[]): string {
  const lines = rows.flatMap(([label, text]) =>
    label === undefined ? [] : [`  ${label.padEnd(10)} ${visible(text ?? '')}`],
  );
  return `${visible(name)}\n${lines.join('\n')}\n`;
}
