import { stringifyJson, writeYaml } from '../text/documents/index.js';
import type { CheckReport, CheckResult } from './check-report.js';
import { foldHarmless, harmFirst, saidOf, withSaid, type ReportedFinding } from './grouping.js';
import { presentable } from './presentable.js';
import { firstNames } from '../text/shortened.js';

export interface RenderOptions {
  /** Whether the text may be coloured: only a terminal shows that. */
  readonly colours?: boolean;
  /** Whether findings that are proven harmless are listed for people; otherwise they are counted. */
  readonly isAllListed?: boolean;
}

type Renderer = (report: CheckReport, options: RenderOptions) => string | Promise<string>;

/** As people read it in a terminal, a log or a comment. */
const forPeople = (report: CheckReport, { isAllListed = false }: RenderOptions): CheckReport =>
  presentable(isAllListed ? report : { ...report, results: report.results.map(foldHarmless) });

/** A run writes in one format: code for other readers is not even loaded. */
const renderers: Readonly<Record<string, Renderer>> = {
  text: async (report, options) =>
    (await import('./text.js')).renderText(forPeople(report, options), options),
  json: (report) => `${stringifyJson(forScripts(report), 2)}\n`,
  yaml: (report) => writeYaml(forScripts(report)),
  sarif: async (report) => (await import('./ci-formats.js')).renderSarif(report),
  junit: async (report, options) =>
    (await import('./ci-formats.js')).renderJunit(forPeople(report, options)),
  github: async (report, options) =>
    (await import('./ci-formats.js')).renderGithub(forPeople(report, options)),
  html: async (report) => (await import('./page/page.js')).renderPage(presentable(report)),
  markdown: async (report, options) =>
    (await import('./markdown.js')).renderMarkdown(forPeople(report, options)),
};

export const formats: readonly string[] = Object.keys(renderers);

/** Where a terminal shows it (https://no-color.org), or wherever it is asked for (https://force-color.org). */
export function wantsColours(
  { NO_COLOR, FORCE_COLOR, TERM }: NodeJS.ProcessEnv = process.env,
  isTerminal = process.stdout.isTTY,
): boolean {
  if ((NO_COLOR ?? '') !== '') return false;
  if ((FORCE_COLOR ?? '') !== '') return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  return isTerminal && TERM !== 'dumb';
}

/** Renders a report; `format` is one of {@link formats}, which the command line has checked. */
export async function render(
  report: CheckReport,
  format: string,
  options: RenderOptions = {},
): Promise<string> {
  const renderer = Object.hasOwn(renderers, format) ? renderers[format] : undefined;
  if (renderer === undefined) throw new RangeError(`no renderer for ${format}`);
  const results = report.results.map(harmFirst);
  const isForScripts = format === 'json' || format === 'yaml';
  return renderer(
    { ...report, results: isForScripts ? results : mergeRenderings(results) },
    options,
  );
}

/** The shape of `-o json`, which scripts rely on. */
function forScripts(report: CheckReport): object {
  const { results, warnings, unchecked, comparedWith, skipped, counts } = report;
  return {
    results: results.map(({ name, verdict, output, rendering, places }) => ({
      name,
      ...(rendering !== undefined && { rendering }),
      verdict,
      output,
      places,
    })),
    ...(warnings === undefined || warnings.length === 0 ? {} : { warnings }),
    unchecked,
    ...(comparedWith === undefined || comparedWith.length === 0 ? {} : { comparedWith }),
    ...(skipped === undefined || skipped.length === 0 ? {} : { skipped }),
    counts,
  };
}

const namedAtMost = 3;

/** Each finding at one place of the source once, with the renderings that it is found in. */
function mergeRenderings(results: readonly CheckResult[]): readonly CheckResult[] {
  const renderings = new Map<string, Set<string>>();
  for (const result of results) {
    for (const said of saidOf(result)) {
      const key = keyOf(result, said);
      if (key === undefined) continue;
      const known = renderings.get(key) ?? new Set();
      renderings.set(key, known.add(result.rendering ?? ''));
    }
  }
  const reported = new Set<string>();
  return results.flatMap((result) => {
    const all = saidOf(result);
    const own: ReportedFinding[] = [];
    for (const said of all) {
      const key = keyOf(result, said) ?? '';
      if (reported.has(key)) continue;
      if (key !== '') reported.add(key);
      own.push(withRenderings(said, [...(renderings.get(key) ?? [])]));
    }
    const left = all.length - own.length;
    if (left === 0) return [withSaid(result, own)];
    if (own.length === 0 && result.verdict.warnings.length === 0) return [];
    const sentence = `${left === 1 ? '1 finding' : `${left} findings`} of the same place reported above`;
    return [{ ...withSaid(result, own), counted: [...(result.counted ?? []), sentence] }];
  });
}

/** Undefined for what is not known to be written in one place for several renderings. */
function keyOf(
  { rendering }: CheckResult,
  { finding, place }: ReportedFinding,
): string | undefined {
  if (rendering === undefined || place?.line === undefined) return undefined;
  const { rule, severity, object, version, path, message } = finding;
  const { file, line, column } = place;
  return JSON.stringify([
    ...[file, line, column],
    ...[object?.kind, version, rule, severity, path, message],
  ]);
}

function withRenderings(said: ReportedFinding, names: readonly string[]): ReportedFinding {
  if (names.length < 2) return said;
  const named = firstNames(names, namedAtMost);
  const also = [...(said.note?.also ?? []), `in ${names.length} renderings: ${named}`];
  return { ...said, note: { ...said.note, also } };
}
