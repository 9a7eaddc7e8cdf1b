/** `olm-guard mcp`: the operations as tools of an agent, over standard input and output. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Command } from 'commander';
import { readRegularFile } from '../../text/documents/regular-file.js';

export function mcpCommand(): Command {
  return new Command('mcp')
    .description(
      'serve an agent over the Model Context Protocol, on standard input and output: operations as tools, rules and pages as resources',
    )
    .argument(
      '[source...]',
      'files, folders or git:REF:path that the agent may read; nothing else is read, and no cluster is asked',
    )
    .action(mcp);
}

async function mcp(named: readonly string[]): Promise<void> {
  // Loaded here, so that no other command waits for it.
  const [{ createMcpServer }, { LineTransport }, { NamedSources }, { JudgePool }] =
    await Promise.all([
      import('../mcp/server.js'),
      import('../mcp/line-transport.js'),
      import('../mcp/named-sources.js'),
      import('../../gate/server/judge-pool.js'),
    ]);
  const sources = new NamedSources(named);
  await sources.demandAll();
  const judges = new JudgePool({ queue: 8 });
  const transport = new LineTransport(process.stdin, process.stdout);
  const server = createMcpServer({ judges, sources, pages: await pagesOfPackage() });
  await server.connect(transport);
  await transport.readAll();
  await server.close();
  await judges.close();
}

/** docs/ beside the program; a single executable has none. */
async function pagesOfPackage(): Promise<Map<string, () => Promise<string>>> {
  const folder = join(import.meta.dirname, '..', 'docs');
  const names = await readdir(folder).catch(() => []);
  const pages = names.filter((name) => name.endsWith('.md'));
  return new Map(
    pages.map((name) => [name, async () => (await readRegularFile(join(folder, name))).toString()]),
  );
}
