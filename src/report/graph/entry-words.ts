/** The words about an entry, in one line: for terminals, and for pictures with space beside the entry. */
import { type GraphNode, type PackageGraph } from '../../olm/index.js';
import { groupBy } from '../../text/group.js';

const states = {
  head: 'head',
  chain: '',
  skipped: 'skipped',
  unreachable: 'stranded',
  gone: 'no entry of the channel',
} as const;

/** E.g. `head, replaces 1.10.2, skips 1.11.0 and 1.11.1`, by channel and name. */
export function entryWords(graph: PackageGraph): (node: GraphNode) => string {
  const labels = new Map(graph.rows.map(({ name, label }) => [name, label]));
  const edgesTo = groupBy(
    graph.edges.filter(({ from, to }) => from !== to),
    ({ channel, to }) => JSON.stringify([channel, to]),
  );
  return (node) => {
    const own = edgesTo.get(JSON.stringify([node.channel, node.name])) ?? [];
    const from = (kind: string): string =>
      own
        .filter((edge) => edge.kind === kind)
        .map(({ from: name, fromChannel }) => {
          const label = labels.get(name) ?? name;
          return fromChannel === undefined ? label : `${label} of ${fromChannel}`;
        })
        .join(', ');
    return [
      states[node.state],
      ...(node.isInstalled ? ['installed'] : node.isOnPath ? ['on the way'] : []),
      ...(node.isDeprecated ? ['deprecated'] : []),
      ...['replaces', 'skips'].map((kind) => {
        const names = from(kind);
        return names === '' ? '' : `${kind} ${names}`;
      }),
      ...(node.replacesAbsent === undefined ||
      own.some(({ from: each }) => each === node.replacesAbsent)
        ? []
        : [`replaces ${node.replacesAbsent}, which is not here`]),
      ...(node.skipRange === undefined ? [] : [`skipRange ${node.skipRange}`]),
      ...(node.strandedBefore === undefined ? [] : [`no way on into ${node.strandedBefore}`]),
      ...own.flatMap(({ from: each, breaks }) =>
        breaks === undefined ? [] : [`breaks from ${labels.get(each) ?? each}`],
      ),
    ]
      .filter((part) => part !== '')
      .join('; ');
  };
}
