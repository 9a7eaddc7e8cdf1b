/** Manifests that a Helm chart renders, by the templates they come from. */
import { posix } from 'node:path';
import type { SourceFile } from '../../text/documents/regular-file.js';

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
