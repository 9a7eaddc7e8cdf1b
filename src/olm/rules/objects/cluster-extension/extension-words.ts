import type { Candidate } from '../../../catalogs/upgrades/index.js';
import type { ExtensionOutcome } from '../../../objects/extension-outcome.js';
import type { KnownCatalog } from '../../../objects/view.js';
import { formatVersion } from '../../../../text/versions/index.js';

/** A package may have hundreds of versions; a person wants the newest. */
const maxVersions = 5;

export function candidateText({ name, versionRelease }: Candidate): string {
  return versionRelease === undefined ? name : `${name} (${formatVersion(versionRelease.version)})`;
}

export function catalogsText(catalogs: readonly KnownCatalog[]): string {
  const names = catalogs.map(({ name }) => name).join(', ');
  return `the known catalog${catalogs.length === 1 ? '' : 's'} ${names}`;
}

export function versionsText({ ask, extension }: ExtensionOutcome): string {
  const all = ask({ version: '', installed: undefined });
  if (all === undefined) return '';
  const texts = [all.chosen, ...all.passedOver].flatMap(({ versionRelease }) =>
    versionRelease === undefined ? [] : [formatVersion(versionRelease.version)],
  );
  const versions = [...new Set(texts)];
  const more = versions.length > maxVersions ? `, … (${versions.length} in all)` : '';
  const where = extension.channels.length === 0 ? '' : ' in these channels';
  return `; there are ${versions.slice(0, maxVersions).join(', ')}${more}${where}`;
}

export function edgesText({ edges }: Candidate): string {
  const words = edges.map(({ kind, channel, range }) =>
    kind === 'skipRange'
      ? `skipRange ${range ?? ''} in channel ${channel}`
      : `${kind} in channel ${channel}`,
  );
  return [...new Set(words)].join(', ');
}
