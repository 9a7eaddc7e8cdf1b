import type { TargetMinors, ValidatorCache } from '../../../kubernetes/index.js';
import { foundAt, referenceTo, type Finding } from '../../../rule/index.js';
import {
  metaOf,
  own,
  sameJson,
  type JsonObject,
  type Path,
} from '../../../text/documents/index.js';
import { append } from '../../../text/long-lists.js';
import { objectsAt, textAt, textsAt, valueAt } from '../../../text/documents/fields.js';
import { isCustomResourceDefinition } from '../../crd/custom-resource-definition.js';
import { judgeManifest } from '../objects/judge.js';
import {
  chartCannotAdoptCrd,
  chartControllerNewer,
  chartCrdNotUpgraded,
  chartDeletesCrd,
  chartHookOnCrd,
  chartNeedsNewCrd,
  chartRemovesCrd,
} from './rules.js';

/** Output of `helm template --include-crds` for a chart. */
export interface RenderedRelease {
  /** Definitions in `crds/`, of charts in the chart too. */
  readonly crds: readonly JsonObject[];
  readonly templates: readonly JsonObject[];
}

export interface JudgedChart {
  readonly findings: readonly Finding[];
  readonly unchecked: readonly string[];
}

/** @param old the installed release @throws InvalidInputError for a definition that cannot be read */
export function judgeChart(
  old: RenderedRelease,
  next: RenderedRelease,
  validators: ValidatorCache,
  minors?: TargetMinors,
): JudgedChart {
  const releases = { old: byPlace(old), next: byPlace(next) };
  const stale = staleDefinitions(releases);
  const objects = judgeObjects(next, releases, stale, { validators, minors });
  return {
    findings: [
      ...stale.map(({ finding }) => finding),
      ...ownedDefinitions(releases),
      ...hooks(next),
      ...newerControllers(old, next, stale),
      ...objects.findings,
    ],
    unchecked: objects.unchecked,
  };
}

interface Places {
  readonly crds: ReadonlyMap<string, JsonObject>;
  readonly templates: ReadonlyMap<string, JsonObject>;
}

interface Releases {
  readonly old: Places;
  readonly next: Places;
}

function byPlace({ crds, templates }: RenderedRelease): Places {
  const named = (objects: readonly JsonObject[]): Map<string, JsonObject> =>
    new Map(objects.filter(isDefinition).map((crd) => [metaOf(crd).name, crd]));
  return {
    crds: named(crds),
    templates: named(templates.filter((each) => hookOf(each) === undefined)),
  };
}

interface StaleDefinition {
  readonly name: string;
  readonly crd: JsonObject;
  readonly installed: JsonObject | undefined;
  readonly finding: Finding;
}

function staleDefinitions({ old, next }: Releases): StaleDefinition[] {
  return [...next.crds].flatMap(([name, crd]) => {
    const installed = old.crds.get(name);
    const isSame = installed !== undefined && sameJson(specOf(installed), specOf(crd));
    // A definition that leaves the templates is reported as removed.
    if (isSame || (installed === undefined && old.templates.has(name))) return [];
    const id = installed === undefined ? 'added' : 'changed';
    const at = placeIn(crd, 'spec');
    const finding = chartCrdNotUpgraded.finding({ ...at, id, data: { name } });
    return [{ name, crd, installed, finding }];
  });
}

function ownedDefinitions({ old, next }: Releases): Finding[] {
  const removed = [...old.templates].flatMap(([name, crd]) => {
    if (next.templates.has(name) || isKept(crd)) return [];
    const id = next.crds.has(name) ? 'moved' : 'removed';
    return [chartRemovesCrd.finding({ ...placeIn(crd), id, data: { name } })];
  });
  const owned = [...next.templates].flatMap(([name, crd]) => {
    const at = placeIn(crd, 'metadata', 'annotations');
    const isMoved = old.crds.has(name) && !old.templates.has(name);
    const id = isMoved || old.templates.has(name) ? 'uninstall' : 'rollback';
    return [
      ...(isMoved ? [chartCannotAdoptCrd.finding({ ...at, id: 'moved', data: { name } })] : []),
      ...(isKept(crd) ? [] : [chartDeletesCrd.finding({ ...at, id, data: { name } })]),
    ];
  });
  return [...removed, ...owned];
}

function hooks({ templates }: RenderedRelease): Finding[] {
  return templates.flatMap((object) => {
    const hook = hookOf(object);
    if (hook === undefined) return [];
    const isUpgrade = /\b(?:pre|post)-(?:upgrade|rollback)\b/.test(hook);
    const severity = isUpgrade ? {} : { severity: 'warning' as const };
    if (isDefinition(object)) {
      const data = { name: metaOf(object).name, hook };
      const at = placeIn(object, 'metadata', 'annotations', hookAnnotation);
      return [chartHookOnCrd.finding({ ...at, ...severity, id: 'definition', data })];
    }
    const found = deletingCommand(object);
    if (found === undefined) return [];
    const data = { hook, command: found.command };
    const at = placeIn(object, ...found.keys);
    return [chartHookOnCrd.finding({ ...at, ...severity, id: 'job', data })];
  });
}

function newerControllers(
  old: RenderedRelease,
  next: RenderedRelease,
  stale: readonly StaleDefinition[],
): Finding[] {
  const names = stale.filter(({ installed }) => installed !== undefined).map(({ name }) => name);
  if (names.length === 0) return [];
  const before = new Map(old.templates.map((each) => [identityOf(each), each]));
  return next.templates.flatMap((object) => {
    const known = before.get(identityOf(object));
    if (known === undefined || hookOf(object) !== undefined) return [];
    const images = new Set(containersOf(known).map((each) => textAt(each, 'image')));
    const index = containersOf(object).findIndex((each) => !images.has(textAt(each, 'image')));
    const image = textAt(containersOf(object)[index], 'image');
    if (image === undefined) return [];
    const data = { image, names };
    const at = placeIn(object, ...containers, index, 'image');
    return [chartControllerNewer.finding({ ...at, id: 'newer', data })];
  });
}

function judgeObjects(
  next: RenderedRelease,
  { old, next: places }: Releases,
  stale: readonly StaleDefinition[],
  { validators, minors }: { validators: ValidatorCache; minors: TargetMinors | undefined },
): JudgedChart {
  const findings: Finding[] = [];
  const unchecked: string[] = [];
  const defining = byKind([...places.crds.values(), ...places.templates.values()]);
  for (const object of next.templates) {
    const crd = defining.get(kindOf(object));
    if (crd === undefined) continue;
    const { name } = metaOf(crd);
    const before = old.crds.get(name) ?? old.templates.get(name);
    const judged = judgeManifest(object, { crd, old: before }, validators, minors);
    for (const each of judged.findings)
      findings.push({ ...each, [foundAt]: { keys: [], ...each[foundAt], object } });
    append(unchecked, judged.unchecked);
    const found = stale.find((each) => each.name === name);
    if (found === undefined) continue;
    if (found.installed === undefined) {
      const at = placeIn(object, 'apiVersion');
      findings.push(chartNeedsNewCrd.finding({ ...at, id: 'missing', data: { name } }));
      continue;
    }
    const known = new Set(judged.findings.map(idOf));
    const installed = judgeManifest(object, { crd: found.installed }, validators, minors);
    for (const finding of installed.findings) {
      if (known.has(idOf(finding))) continue;
      const data = { name, problem: finding.message };
      const path = finding.path === undefined ? {} : { path: finding.path };
      const at = placeIn(object, ...(finding[foundAt]?.keys ?? []));
      findings.push(chartNeedsNewCrd.finding({ ...at, ...path, id: 'installed', data }));
    }
  }
  return { findings, unchecked };
}

function placeIn(object: JsonObject, ...keys: Path): Pick<Finding, 'object' | typeof foundAt> {
  return { object: referenceTo(object), [foundAt]: { object, keys } };
}

function idOf({ rule, path }: Finding): string {
  return `${rule} ${path ?? ''}`;
}

/** No type guard: what is not a definition is still an object. */
function isDefinition(object: JsonObject): boolean {
  return isCustomResourceDefinition(object);
}

function byKind(crds: readonly JsonObject[]): ReadonlyMap<string, JsonObject> {
  return new Map(
    crds.toReversed().map((crd) => {
      const kind = textAt(crd, 'spec', 'names', 'kind') ?? '';
      return [`${textAt(crd, 'spec', 'group') ?? ''} ${kind}`, crd];
    }),
  );
}

function kindOf(object: JsonObject): string {
  const [group = ''] = textAt(object, 'apiVersion')?.split('/') ?? [];
  return `${group} ${textAt(object, 'kind') ?? ''}`;
}

function specOf(crd: JsonObject): JsonObject[string] {
  return own(crd, 'spec') ?? null;
}

function identityOf(object: JsonObject): string {
  const kind = textAt(object, 'kind') ?? '';
  return `${textAt(object, 'apiVersion') ?? ''} ${kind} ${metaOf(object).key}`;
}

const hookAnnotation = 'helm.sh/hook';

function hookOf(object: JsonObject): string | undefined {
  return metaOf(object).annotation(hookAnnotation);
}

function isKept(object: JsonObject): boolean {
  return metaOf(object).annotation('helm.sh/resource-policy') === 'keep';
}

const containers = ['spec', 'template', 'spec', 'containers'];
const deletion =
  /\bdelete\s+(?:-\S+\s+)*(?:crds?|customresourcedefinitions?)(?:\.apiextensions\.k8s\.io)?\b.*/i;

function containersOf(object: JsonObject): JsonObject[] {
  return objectsAt(object, ...containers);
}

function deletingCommand(job: JsonObject): { command: string; keys: Path } | undefined {
  for (const [index, container] of containersOf(job).entries()) {
    const words = [...textsAt(container, 'command'), ...textsAt(container, 'args')];
    const [command] = deletion.exec(words.join(' ')) ?? [];
    const key = valueAt(container, 'args') === undefined ? 'command' : 'args';
    if (command !== undefined) return { command, keys: [...containers, index, key] };
  }
  return undefined;
}
