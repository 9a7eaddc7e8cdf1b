import type { PackageGraph } from '../../olm/index.js';
import { renderSvg } from './svg.js';
import { renderGraphText } from './text.js';

const renderers = {
  text: renderGraphText,
  svg: renderSvg,
  json: (graph: PackageGraph) => `${JSON.stringify(graph, undefined, 2)}\n`,
} as const;

export type GraphFormat = keyof typeof renderers;

export const graphFormats = Object.keys(renderers) as readonly GraphFormat[];

export function renderGraph(graph: PackageGraph, format: GraphFormat): string {
  return renderers[format](graph);
}
