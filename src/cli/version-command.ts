/** `olm-guard version`: what `--version` says, as plugins of kubectl say it. */
import { Command } from 'commander';
import { releasesByMinor } from '../kubernetes/index.js';
import { followedByProfile, followedVersions } from '../rule/index.js';
import { isCutOff } from '../text/documents/program.js';
import { version } from '../text/package.js';
import { print } from './output.js';

export function versionCommand(): Command {
  return new Command('version')
    .description('print the version')
    .option('--follows', 'also print which versions of OLM, Kubernetes and others it judges as')
    .action(async ({ follows }: { readonly follows?: true }) => {
      const lines = [
        `programs that it starts: ${(await isCutOff()) ? 'in a network namespace of their own' : 'without a network namespace; what is no plain path is refused'}`,
        ...Object.entries(followedVersions).map(
          ([name, { version: followed, date }]) => `${name} ${followed} of ${date}`,
        ),
        ...[...releasesByMinor].map(
          ([minor, release]) =>
            `Kubernetes ${minor}: kubernetes/apiextensions-apiserver ${release}`,
        ),
        ...Object.entries(followedByProfile).map(
          ([name, followed]) => `--profile ${name}: ${followed}`,
        ),
      ];
      await print(`${[version, ...(follows === true ? lines : [])].join('\n')}\n`);
    });
}
