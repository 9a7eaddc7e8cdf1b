import { duration, formatCount } from '../text/plural.js';
import { firstNames } from '../text/shortened.js';
import { visible } from '../text/visible.js';
import type { MigrationPlan, MigrationResult, Verification } from '../cluster/index.js';
import { append } from '../text/long-lists.js';

/** How many names and sentences of a kind are printed; JSON has all that were kept. */
const shown = 20;

/** @param asked versions that the user named with --leaving */
export function renderPlan(plan: MigrationPlan, asked: readonly string[]): string {
  const { leavingVersions: leaving, objects, toWrite, managers, converter = [] } = plan;
  const namesLeaving = managers.filter((each) => each.leaves);
  const rows: [string, string][] = [
    ['storage', `${plan.storageVersion}; stored are ${plan.storedVersions.join(', ')}`],
    ['leaving', leaving.length === 0 ? 'no version' : leaving.join(', ')],
    ...(plan.unprovenVersions.length === 0
      ? []
      : [
          [
            'unproven',
            `${plan.unprovenVersions.join(', ')}: not in status.storedVersions, where somebody may have taken it out, and nothing shows that no object is stored in it`,
          ] as [string, string],
        ]),
    [
      'objects',
      `${formatCount(objects)}, of which at most ${formatCount(toWrite)} must be written`,
    ],
    ['time', `about ${duration(plan.seconds)}`],
    [
      'managers',
      plan.namingLeaving === 0
        ? 'no managedFields name a version that leaves'
        : `managedFields of ${formatCount(plan.namingLeaving)} ${plan.namingLeaving === 1 ? 'object' : 'objects'} name a version that leaves`,
    ],
    ...namesLeaving.slice(0, shown).map(({ manager, version, isApply, objects, last }) => {
      const who = manager === '' ? 'a manager without a name' : manager;
      const when = last === '' ? '' : `, last ${last}`;
      const what = `${isApply ? 'applied' : 'wrote'} ${formatCount(objects)} as ${version}${when}`;
      return ['', `${who} ${what}`] as [string, string];
    }),
    ...(namesLeaving.length > shown
      ? [['', `and ${formatCount(namesLeaving.length - shown)} more`] as [string, string]]
      : []),
    ...plan.dropped.map(({ version, fields }): [string, string] => [
      'loses',
      `${firstNames(fields, shown)} of ${version}: the storage version has no such field; run refuses without --drop-fields`,
    ]),
    ...converter.map(({ version, milliseconds, error }): [string, string] => [
      'converter',
      error === undefined
        ? `answered for ${version} within ${milliseconds} ms`
        : `${version} cannot be read: ${error}`,
    ]),
    [
      'next',
      plan.isDone
        ? 'nothing is left to do'
        : [
            ...['olm-guard migrate run', plan.name],
            ...new Set([...asked, ...plan.unprovenVersions].map((each) => `--leaving ${each}`)),
            ...(plan.dropped.length === 0
              ? []
              : ['--drop-fields, or first give the storage version the fields']),
          ].join(' '),
    ],
  ];
  return table(plan.name, rows);
}

export function renderResult(result: MigrationResult): string {
  const { isDryRun, failed, failures, verification, kept, inTree } = result;
  const would = isDryRun ? ' would be' : '';
  const rows: [string, string][] = [
    [
      'objects',
      `${formatCount(result.objects)}, of which ${formatCount(result.written)}${would} written as ${result.storageVersion}`,
    ],
    ...(inTree === undefined
      ? []
      : [
          [
            'in-tree',
            `${isDryRun ? 'the cluster would migrate' : 'migrated by the cluster'}: StorageVersionMigration ${inTree.name} (${inTree.apiVersion})`,
          ] as [string, string],
        ]),
    [
      'moved',
      `${formatCount(result.movedEntries)} entries of managedFields${would === '' ? '' : would}`,
    ],
    ...failed
      .slice(0, shown)
      .map(({ name, reason }): [string, string] => ['refused', `${name}: ${reason}`]),
    ...(failures > shown
      ? [
          ['refused', `and ${formatCount(failures - Math.min(failed.length, shown))} more`] as [
            string,
            string,
          ],
        ]
      : []),
    ...(verification === undefined ? [] : verificationRows(verification)),
    ['stored', storedRow(result.storedVersions, kept)],
  ];
  return table(result.name, rows);
}

function storedRow(storedVersions: readonly string[], kept: string | undefined): string {
  const stay = kept === undefined ? '' : `, as ${kept}`;
  return `status.storedVersions: ${storedVersions.join(', ')}${stay}`;
}

export function renderVerification(name: string, verification: Verification): string {
  return table(name, [
    ['objects', formatCount(verification.objects)],
    ...verificationRows(verification),
    ['verified', verification.problems.length === 0 ? 'it holds' : 'it does not hold'],
  ]);
}

function verificationRows({ applied, problems, untried }: Verification): [string, string][] {
  const rows: [string, string][] = [
    [
      'applies',
      `${formatCount(applied)} server-side ${applied === 1 ? 'apply' : 'applies'} passed a dry run, each as another manager`,
    ],
  ];
  for (const [label, sentences] of [
    ['problem', problems],
    ['untried', untried],
  ] as const) {
    append(
      rows,
      sentences.slice(0, shown).map((each): [string, string] => [label, each]),
    );
    if (sentences.length > shown) {
      rows.push([label, `and ${formatCount(sentences.length - shown)} more`]);
    }
  }
  return rows;
}

function table(name: string, rows: readonly (readonly [string, string])[]): string {
  const lines = rows.map(([label, text]) => `  ${label.padEnd(10)} ${visible(text)}`);
  return `${visible(name)}\n${lines.join('\n')}\n`;
}
