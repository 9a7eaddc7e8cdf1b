/** Where the values of objects are written that a Helm chart has rendered: in its templates and values. */
import { posix } from 'node:path';
import {
  isObject,
  NumberText,
  objectsOf,
  sameJson,
  type Document,
  type JsonObject,
  type JsonValue,
  type Path,
} from '../../text/documents/index.js';
import { valueAt } from '../../text/documents/fields.js';
import type { SourceFile } from '../../text/documents/regular-file.js';
import type { WrittenValue } from './applied-folder.js';
import { readable } from './kustomization.js';

const mark = ' #olm-guard:';
const marked = / ?#olm-guard:(\d+)/;

/** An action that goes on, or that trims what follows, would take the comment along: those lines have none. */
export function withLineNumbers(template: string): string {
  let isInAction = false;
  return template
    .split('\n')
    .map((line, index) => {
      const opened = line.lastIndexOf('{{');
      const closed = line.lastIndexOf('}}');
      isInAction = opened > closed || (isInAction && closed === -1);
      const isPlain = !isInAction && !/-\}\}\s*$|\\$|^\s*$|^---/.test(line);
      return isPlain ? `${line.replace(/\r$/, '')}${mark}${index + 1}` : line;
    })
    .join('\n');
}

interface RenderedTemplate {
  /** From the folder of the chart. */
  readonly path: string;
  readonly documents: readonly Document[];
}

export interface ChartSources {
  readonly templates: ReadonlyMap<string, SourceFile>;
  /** Values of the chart, the ones that win first. */
  readonly values: readonly WrittenValue[];
  /** The same rendered from templates with line numbers; undefined where that cannot be. */
  readonly numbered: readonly SourceFile[] | undefined;
}

export class ChartPlaces {
  readonly #numbered: readonly RenderedTemplate[];

  constructor(private readonly sources: ChartSources) {
    this.#numbered = (sources.numbered ?? []).map(({ path, bytes }) => ({
      path,
      documents: readable({ bytes }),
    }));
  }

  /** In the values where one of them is what was rendered, else in the template. */
  find(object: JsonObject, keys: Path, path: string): WrittenLine | undefined {
    const template = this.sources.templates.get(path);
    if (template === undefined) return undefined;
    const text = template.bytes.toString('utf8');
    if (isDefinitionOfChart(path) || !text.includes('{{'))
      return this.#inPlainTemplate(template, object, keys);
    const line = this.#lineOf(object, keys, path) ?? onlyLineWith(text, keys);
    const inTemplate = { file: template.file, line: line ?? 1, text };
    if (line === undefined) return { at: inTemplate };
    const value = this.#valueOf(text.split('\n')[line - 1] ?? '', object, keys);
    return value === undefined ? { at: inTemplate } : { at: inTemplate, value };
  }

  #inPlainTemplate(
    { file, bytes }: SourceFile,
    object: JsonObject,
    keys: Path,
  ): WrittenLine | undefined {
    for (const { document, path, value } of objectsIn(readable({ file, bytes }))) {
      if (isObject(value) && sameJson(value, object)) {
        return { value: { document, path: [...path, ...keys] } };
      }
    }
    return undefined;
  }

  #lineOf(object: JsonObject, keys: Path, template: string): number | undefined {
    const documents = this.#numbered
      .filter(({ path }) => path === template)
      .flatMap((each) => each.documents);
    for (const { document, path, value } of objectsIn(documents)) {
      if (!isObject(value) || !sameJson(value, object)) continue;
      const { line = 1 } = document.placeOf([...path, ...keys]);
      const lines = document.fileText.split('\n').slice(line - 1);
      // The output of an action ends where the line of the template ends.
      const found = lines.map((each) => marked.exec(each)?.[1]).find((each) => each !== undefined);
      return found === undefined ? undefined : Number(found);
    }
    return undefined;
  }

  /** The value that a line takes from the values: one of them, or a map or list that it writes out. */
  #valueOf(line: string, object: JsonObject, keys: Path): WrittenValue | undefined {
    const value = valueAt(object, ...keys);
    for (const [, name = ''] of line.matchAll(/\.Values((?:\.[A-Za-z_]\w*)+)/g)) {
      const reference = name.split('.').slice(1);
      for (let from = 0; from <= keys.length; from++) {
        const rest = keys.slice(from);
        for (const { document, path } of this.sources.values) {
          const whole = [...path, ...reference, ...rest];
          const written = valueAt(document.value, ...whole);
          if (written === undefined) {
            const around = valueAt(document.value, ...whole.slice(0, -1));
            if (value === undefined && rest.length > 0 && isObject(around)) {
              return { document, path: whole };
            }
            continue;
          }
          if (value !== undefined && isSame(written, value)) return { document, path: whole };
          break;
        }
      }
    }
    return undefined;
  }
}

export interface WrittenLine {
  readonly at?: { readonly file: string; readonly line: number; readonly text: string };
  readonly value?: WrittenValue;
}

/** The line that writes the last of the keys, where there is only one. */
function onlyLineWith(text: string, keys: Path): number | undefined {
  const key = keys.findLast((each) => typeof each === 'string');
  if (key === undefined) return undefined;
  const lines = text.split('\n');
  const found = lines.flatMap((line, index) =>
    line.replace(/^\s*(?:- +)?/, '').startsWith(`${key}:`) ? [index + 1] : [],
  );
  return found.length === 1 ? found[0] : undefined;
}

/** A template may quote a number, and print a text that reads as one. */
function isSame(written: JsonValue, value: JsonValue): boolean {
  if (sameJson(written, value)) return true;
  const printed = [written, value].map((each) =>
    each instanceof NumberText || typeof each !== 'object' ? String(each) : undefined,
  );
  return printed[0] !== undefined && printed[0] === printed[1];
}

function* objectsIn(
  documents: readonly Document[],
): Generator<WrittenValue & { value: JsonValue }> {
  for (const document of documents) {
    for (const { value, path } of objectsOf(document.value)) yield { document, path, value };
  }
}

/** Whether a path from the folder of a chart is a file of `crds/`, its own or a subchart's, which is no template. */
export function isDefinitionOfChart(path: string): boolean {
  return /^(?:charts\/[^/]+\/)*crds\//.test(path);
}

/** Whether a path from the folder of a chart is a template of it or of a chart in it. */
export function isTemplateOfChart(path: string): boolean {
  return /(?:^|^charts\/(?:.*\/)?)templates\//.test(path) && /\.ya?ml$/.test(posix.basename(path));
}

/** Behind the name of a template: lines are those of what it renders to. */
export const renderedMark = ' (rendered)';

/**
 * `helm template` writes `# Source: CHART/templates/crd.yaml` before each; text before the first stays with the chart.
 */
export function renderedFiles(source: string, rendered: Buffer): SourceFile[] {
  const [first = '', ...parts] = rendered.toString('utf8').split(/^# Source: [^/\n]+\//m);
  const files = parts.map((part) => {
    const end = part.indexOf('\n');
    const path = part.slice(0, end).trim();
    const file = posix.join(source, path) + renderedMark;
    return { file, path, bytes: Buffer.from(part.slice(end + 1)) };
  });
  return [{ file: source, path: '', bytes: Buffer.from(first) }, ...files];
}
