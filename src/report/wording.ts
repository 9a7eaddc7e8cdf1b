import { describeStoredWrites, type Finding } from '../rule/index.js';
import type { Place } from '../text/documents/index.js';
import { effectWords as proofWords, requestSentence } from '../upgrade/index.js';
import type { FindingNote } from './check-report.js';

/** The effect of a change on objects, where nothing else says that they stay valid. */
export const effectWords = { ...proofWords, behavior: 'changes behavior, breaks no object' };

/** Version and path, and before them the object where it is another than the one that is judged. */
export function formatLocation({ object, version, path }: Finding, judged: string): string {
  const name =
    object?.namespace === undefined ? object?.name : `${object.namespace}/${object.name}`;
  const isJudged = [object?.name, name, `${object?.kind} ${name}`].includes(judged);
  // The names of definitions say what they are.
  const isDefinition = object?.kind === 'CustomResourceDefinition';
  const other = isJudged
    ? undefined
    : isDefinition
      ? object.name
      : object && `${object.kind} ${name}`;
  return [other, version, path].filter((part) => part !== undefined && part !== '').join(' ');
}

/** The field as a person names it: `spec.size`; undefined where the finding is about none. */
export function fieldOf({ path, exactPath }: Finding): string | undefined {
  return path?.startsWith('^.') === true ? (exactPath ?? path).slice(2) : undefined;
}

/** The message without the version and path before it, which reference texts of a field begin with. */
export function withoutLocation({ message, object, version, path }: Finding): string {
  for (const location of [
    `version ${JSON.stringify(version)}, field ${JSON.stringify(path)}: `,
    `crd/${object?.name} version/${version} field/${path} `,
  ]) {
    if (message.startsWith(location)) return message.slice(location.length);
  }
  return message;
}

/** Where the definition is made of Go types, and would be made anew without the fix. */
export function inGo(markers: Finding['markers'] = []): string[] {
  return markers.length === 0 ? [] : [`in Go: ${markers.join(', ')}`];
}

/** Whether an object beside it shows harm: a finding that only informs readers is harmless. */
export function showsHarm({ severity, audience }: Pick<Finding, 'severity' | 'audience'>): boolean {
  return severity !== 'info' || audience !== 'readers';
}

/** `stored: …`, where it is known what becomes of updates. */
export function storedWrites(finding: Finding): string[] {
  // Of objects that are known the finding itself says it.
  const words = finding.family === 'stored-objects' ? undefined : describeStoredWrites(finding);
  return words === undefined ? [] : [`stored: ${words}`];
}

/** Why it is decided so: an exemption, a promise of the policy, or a harm that is only warned of. */
export function decisionOf(
  { decidedBy, harm, severity }: Finding,
  note: FindingNote | undefined,
): string[] {
  const mild = severity === 'warning' && harm !== undefined ? harm : undefined;
  const reason =
    note?.exempt ?? decidedBy ?? (mild && `not denied: ${mild} (olm-guard explain ${mild})`);
  return reason === undefined ? [] : [reason];
}

/** `proof: …`, `fix: …` and the exemption, where there is something to say beside the message. */
export function messageDetails(finding: Finding, note: FindingNote | undefined): string[] {
  const { effect, rule, proof, fix: own, markers, request } = finding;
  const fix = typeof own === 'string' ? own : note?.fix;
  // A finding of the proof itself has said what it knows.
  const isSaid = effect === undefined || rule === 'Proof';
  return [
    ...(request === undefined ? [] : [`request: ${requestSentence(request)}`]),
    ...(isSaid ? [] : [`proof: ${effectWords[effect]}${proof === undefined ? '' : `: ${proof}`}`]),
    ...storedWrites(finding),
    ...(fix === undefined ? [] : [`fix: ${fix}`]),
    ...inGo(markers),
    ...decisionOf(finding, note),
    ...(note?.also ?? []),
  ];
}

/** `file:line:column`, as editors and terminals link it. */
export function renderPlace(place: Place | undefined): string {
  return [place?.file === '-' ? '<stdin>' : place?.file, place?.line, place?.column]
    .filter((part) => part !== undefined && part !== '')
    .join(':');
}
