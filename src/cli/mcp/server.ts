/** The table of operations as tools of the Model Context Protocol, and rules and pages as its resources. */
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  ErrorCode,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  type CallToolResult,
  type Resource,
} from '@modelcontextprotocol/sdk/types.js';
import { UnfinishedError, type JudgePool } from '../../gate/index.js';
import { findOperation, operations } from '../../checks/index.js';
import { printPage, rules } from '../../policy/index.js';
import {
  InvalidInputError,
  isObject,
  own,
  parseJson,
  stringifyJson,
  type JsonObject,
  type JsonValue,
} from '../../text/documents/index.js';
import { version } from '../../text/package.js';
import { shortened } from '../../text/shortened.js';
import { howToName, type NamedSources } from './named-sources.js';

/** Characters of an answer, all of which go into the agent's context. */
const maxAnswerLength = 32_000;

const maxMilliseconds = 60_000;

export interface McpOptions {
  readonly judges: Pick<JudgePool, 'judge'>;
  readonly sources: NamedSources;
  readonly pages: ReadonlyMap<string, () => Promise<string>>;
}

export function createMcpServer({ judges, sources, pages }: McpOptions): Server {
  const server = new Server(
    { name: 'olm-guard', version },
    {
      capabilities: { tools: {}, resources: {} },
      instructions: [
        'Tells what an operator upgrade would do before it is applied. Each tool answers one question and changes nothing; each finding names its rule, which is the resource olm-guard://rules/NAME.',
        sources.named.length === 0 ? '' : `${howToName} May be named: ${sources.named.join(', ')}.`,
      ]
        .join(' ')
        .trim(),
    },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: operations.map(({ name, summary, input }) => ({
      name,
      description: summary,
      inputSchema: { ...input, type: 'object' as const },
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    })),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) => {
    try {
      const { name } = findOperation(params.name);
      const input = await sources.fillIn((params.arguments ?? {}) as JsonObject);
      const request = { signal, until: performance.now() + maxMilliseconds };
      const answer = await judges.judge(name, stringifyJson(input), undefined, request);
      return resultOf(parseJson(answer));
    } catch (error) {
      if (error instanceof InvalidInputError || error instanceof UnfinishedError) {
        return failed(error.message);
      }
      throw error;
    }
  });
  const resources = resourcesOf(pages);
  server.setRequestHandler(ListResourcesRequestSchema, () => ({
    resources: [...resources.values()].map(({ resource }) => resource),
  }));
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri } }) => {
    const found = resources.get(uri);
    if (found === undefined) {
      throw new McpError(ErrorCode.InvalidParams, `there is no resource ${uri}`);
    }
    const { mimeType } = found.resource;
    return { contents: [{ uri, mimeType, text: await found.read() }] };
  });
  return server;
}

interface Readable {
  readonly resource: Resource;
  readonly read: () => Promise<string>;
}

function resourcesOf(pages: McpOptions['pages']): ReadonlyMap<string, Readable> {
  const ofRules = rules.map((rule): Readable => ({
    resource: {
      uri: `olm-guard://rules/${rule.id}`,
      name: rule.id,
      mimeType: 'text/plain',
      description: rule.checks,
    },
    read: () => Promise.resolve(printPage(rule, rule.id)),
  }));
  const ofPages = [...pages].map(([name, read]): Readable => ({
    resource: { uri: `olm-guard://docs/${name}`, name, mimeType: 'text/markdown' },
    read,
  }));
  return new Map([...ofRules, ...ofPages].map((each) => [each.resource.uri, each]));
}

function resultOf(answer: JsonValue): CallToolResult {
  if (!isObject(answer)) throw new Error('an answer is an object');
  const error = own(answer, 'error');
  if (error !== undefined) return failed(stringifyJson(error) + howToPass(error));
  const whole = stringifyJson(answer);
  return textOf(whole.length <= maxAnswerLength ? whole : stringifyJson(shortenAnswer(answer)));
}

/** An agent that passes a path cannot know from "must be object" what to pass instead. */
function howToPass(error: JsonValue): string {
  const message = isObject(error) ? own(error, 'message') : undefined;
  return typeof message === 'string' && /^must be (?:object|array)/.test(message)
    ? ` Pass the document itself, or name it. ${howToName}`
    : '';
}

function failed(text: string): CallToolResult {
  return { isError: true, ...textOf(text) };
}

function textOf(text: string): CallToolResult {
  return { content: [{ type: 'text', text: shortened(text, maxAnswerLength) }] };
}

/** The verdict with as many findings as fit, errors first, and how many were left out. */
function shortenAnswer(answer: JsonObject): JsonObject {
  const verdict = own(answer, 'verdict') as JsonObject;
  const isError = (finding: JsonObject): number => Number(own(finding, 'severity') === 'error');
  const findings = (own(verdict, 'findings') as JsonObject[])
    .toSorted((a, b) => isError(b) - isError(a))
    .map(withoutLargeFields);
  let left = maxAnswerLength - roomForCounts;
  const fits = (each: JsonValue): boolean => {
    const length = stringifyJson(each).length + 1;
    if (length > left) return false;
    left -= length;
    return true;
  };
  const kept = takeWhile(findings, fits);
  const warnings = own(verdict, 'warnings') as JsonValue[];
  const warned = takeWhile(warnings, fits);
  const output = own(answer, 'output') ?? null;
  const hasOutput = fits(output);
  return {
    verdict: { allowed: own(verdict, 'allowed') ?? false, findings: kept, warnings: warned },
    ...(hasOutput && { output }),
    leftOut: {
      findings: findings.length - kept.length,
      warnings: warnings.length - warned.length,
      fields: [...fieldsLeftOut, ...(hasOutput ? [] : ['output'])],
    },
  };
}

const roomForCounts = 500;
const longestMessage = 600;
const fieldsLeftOut = ['witness', 'fix', 'data', 'docs'];

function withoutLargeFields(finding: JsonObject): JsonObject {
  const fields = Object.entries(finding).filter(([name]) => !fieldsLeftOut.includes(name));
  const message = shortened(own(finding, 'message') as string, longestMessage);
  return { ...Object.fromEntries(fields), message };
}

function takeWhile<Each>(list: readonly Each[], isWanted: (each: Each) => boolean): Each[] {
  const end = list.findIndex((each) => !isWanted(each));
  return list.slice(0, end < 0 ? list.length : end);
}
