import type { Disagreement, RangeExplanation, Reading } from '../text/versions/index.js';
import { renderSections } from './table.js';

export function renderRange(explanation: RangeExplanation): string {
  const { range, version, masterminds, blang, api, disagreements } = explanation;
  const accepted = api.accepts
    ? 'the API accepts it'
    : `the API refuses it: ${api.refusal ?? 'it does not fit the pattern of the field'}`;
  const sections = [
    [JSON.stringify(range)],
    [
      'OLM v1 (spec.source.catalog.version of a ClusterExtension)',
      ...readingLines(masterminds, version),
      `  ${accepted}`,
    ],
    ['OLM classic (olm.skipRange, also in OLM v1; dependencies)', ...readingLines(blang, version)],
    differenceLines(masterminds, blang, disagreements),
  ];
  return renderSections(sections);
}

function readingLines(reading: Reading, version: string | undefined): string[] {
  if (!reading.valid) return [`  not valid: ${reading.error}`];
  const alternatives = reading.alternatives.map((words, index) =>
    index === 0 ? `  ${words}` : `  or ${words}`,
  );
  const answer =
    version === undefined || reading.matches === undefined
      ? []
      : [`  ${version}: ${reading.matches ? 'matches' : 'does not match'}`];
  return [...alternatives, ...reading.notes.map((note) => `  (${note})`), ...answer];
}

function differenceLines(
  masterminds: Reading,
  blang: Reading,
  disagreements: readonly Disagreement[],
): string[] {
  if (!masterminds.valid && !blang.valid) return ['Neither dialect can read it.'];
  if (!masterminds.valid) return ['Only OLM classic can read it.'];
  if (!blang.valid) {
    return ['Only OLM v1 can read it: as an olm.skipRange it is silently ignored.'];
  }
  if (disagreements.length === 0) return ['Both dialects agree at every bound of the range.'];
  return [
    'Where they disagree',
    ...disagreements.map(({ reason, examples }) => `  ${reason}: ${examples.join(', ')}`),
  ];
}
