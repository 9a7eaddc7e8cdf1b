/** Where the update paths of OLM classic and OLM v1 differ, and why. Source: OpenShift's page “Update paths” on OLM v1's differences. */
import type { Channel } from '../catalog.js';
import type { Edge } from './model.js';
import type { Step, UpgradePath } from './step.js';

/** Empty when they are the same. @param channels say what is skipped */
export function pathDifferences(
  classic: UpgradePath,
  v1: UpgradePath,
  channels: readonly Channel[],
): string[] {
  const index = firstDifference(classic.steps, v1.steps);
  const ours = classic.steps[index];
  const theirs = v1.steps[index];
  if (ours === undefined && theirs === undefined) return errorDifferences(classic, v1);
  if (ours === undefined && theirs !== undefined) {
    return [onlyV1(theirs, classic), ...skippedReason(theirs, channels)];
  }
  if (ours !== undefined && theirs === undefined) return [onlyClassic(ours, v1)];
  return ours === undefined || theirs === undefined
    ? []
    : [
        `${startOf(ours)} OLM classic goes to ${ours.to}, the entry nearest the head; OLM v1 goes to ${theirs.to}, the highest version among the successors, deprecated ones last`,
        ...skippedReason(theirs, channels),
      ];
}

export function edgeWords(step: Step): string {
  if (step.from === undefined) return 'first installation';
  if (step.edges.length === 0) return 'no edge: forced by SelfCertified';
  const from = step.from;
  return [...new Set(step.edges.map((edge) => oneEdge(edge, from)))].join(', ');
}

function oneEdge({ kind, range }: Edge, from: string): string {
  return kind === 'skipRange'
    ? `skipRange ${JSON.stringify(range)} covers ${from}`
    : `${kind} ${from}`;
}

function firstDifference(classic: readonly Step[], v1: readonly Step[]): number {
  const index = classic.findIndex((step, place) => step.to !== v1[place]?.to);
  return index < 0 ? classic.length : index;
}

function startOf({ from }: Step): string {
  return from === undefined ? 'For a first installation' : `From ${from}`;
}

function onlyV1(step: Step, classic: UpgradePath): string {
  const stops =
    classic.error === undefined
      ? 'OLM classic finds no update path'
      : `OLM classic stops (${classic.error})`;
  return `${startOf(step)} ${stops}; OLM v1 goes to ${step.to} (${edgeWords(step)})`;
}

function onlyClassic(step: Step, v1: UpgradePath): string {
  const stops =
    v1.error === undefined
      ? 'OLM v1 stays: nothing better satisfies version range, channels and edges'
      : `OLM v1 stops (${v1.error})`;
  return `${startOf(step)} OLM classic goes to ${step.to} (${edgeWords(step)}); ${stops}`;
}

function errorDifferences(classic: UpgradePath, v1: UpgradePath): string[] {
  return [
    ...(classic.error !== undefined && v1.error === undefined
      ? [`OLM classic stops (${classic.error}); OLM v1 does not check the graph`]
      : []),
    ...(v1.error !== undefined && classic.error === undefined
      ? [`OLM v1 stops (${v1.error}); OLM classic stays where it is without an error`]
      : []),
  ];
}

function skippedReason({ to }: Step, channels: readonly Channel[]): string[] {
  for (const { name, entries } of channels) {
    const skipper = entries.find(({ skips }) => skips?.includes(to));
    if (skipper !== undefined) {
      return [
        `${to} is skipped by ${skipper.name} in channel ${name}: for OLM classic it is not on the replaces chain and never a target; OLM v1 has no such chain`,
      ];
    }
  }
  return [];
}
