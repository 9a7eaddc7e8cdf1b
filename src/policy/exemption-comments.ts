/**
 * Exemptions beside the change: a comment in the new document, on the line of the finding or on a line
 * of its own above it.
 *
 *     size: # olm-guard:exempt MinimumRaised until 2027-01-01T00:00:00Z: nobody ever set less
 */
import { commentsIn, invalidInput, type Document, type Place } from '../text/documents/index.js';
import type { Finding } from '../rule/index.js';
import { didYouMean } from '../text/nearest.js';
import { isNamed } from './exemptions.js';
import type { Exemption, Policy } from './policy.js';
import { parseEnd } from './rfc3339.js';

export interface CommentOptions {
  readonly policy: Policy;
  /** Whether comments in the new definition exempt, as a repository's own policy does. */
  readonly areCommentsHeard: boolean;
}

interface Reported {
  readonly finding: Finding;
  readonly place: Place | undefined;
}

interface ExemptionComment {
  readonly line: number;
  /** The last line it covers: its own, or the line below a comment on a line of its own. */
  readonly last: number;
  readonly rules: readonly string[];
  readonly reason: string;
  readonly until?: string;
}

const mark = 'olm-guard:exempt';

/** The name of this program, followed by an instruction to it. */
const addressed = /\bolm[-_ ]?guard[-_/.:\s]\s*([a-z-]+)/i;
const otherWords = new Set(['ignore', 'disable', 'skip', 'allow', 'nolint', 'off']);

/** With warnings about comments. @throws InvalidInputError `E_INPUT` for one without a rule or a reason */
export async function applyComments(
  { text, line: first, file }: Pick<Document, 'text' | 'line' | 'file'>,
  reported: readonly Reported[],
  { policy, areCommentsHeard }: CommentOptions,
): Promise<{ readonly policy: Policy; readonly warnings: readonly string[] }> {
  const comments = exemptionComments(text, first, file);
  const misspelt = misspeltComments(text, first).map(
    ({ line, written }) =>
      `the comment in ${position(line, file)} does not count: it says "${written}" and not "olm-guard:exempt RULE: REASON"`,
  );
  if (!areCommentsHeard) {
    const unheard = comments.map(
      ({ line }) => `the comment in line ${line} does not count beside --policy`,
    );
    return { policy, warnings: [...unheard, ...misspelt] };
  }
  const { exemptions, unused } = exemptedBy(comments, reported);
  return {
    policy: { ...policy, exemptions: [...policy.exemptions, ...exemptions] },
    warnings: [...(await idleComments(unused, file)), ...misspelt],
  };
}

/** Loads every rule for its name, so it is called only when there is a warning. */
async function idleComments(
  unused: readonly ExemptionComment[],
  file: string | undefined,
): Promise<string[]> {
  if (unused.length === 0) return [];
  const { suggestRuleName } = await import('./known-name.js');
  return unused.map(
    ({ line, rules }) =>
      `the comment in ${position(line, file)} exempts nothing (${rules.map(suggestRuleName).join(', ')})`,
  );
}

function position(line: number, file: string | undefined): string {
  return [file, line].filter((part) => part !== undefined).join(':');
}

/** @param first the line of the file on which the text begins @throws InvalidInputError `E_INPUT` */
function exemptionComments(
  text: string,
  first: number,
  file: string | undefined,
): readonly ExemptionComment[] {
  if (!text.includes(mark)) return [];
  return commentsIn(text)
    .filter((comment) => comment.text.includes(mark))
    .map((comment) => {
      const line = first + comment.line - 1;
      const place = { file, line };
      return { ...parse(comment.text, place), line, last: comment.isAlone ? line + 1 : line };
    });
}

/** Comments that look like exemptions and are none: their lines, and what is written there. */
function misspeltComments(
  text: string,
  first: number,
): readonly { readonly line: number; readonly written: string }[] {
  if (!/olm[-_ ]?guard/i.test(text)) return [];
  return commentsIn(text).flatMap((comment) => {
    if (comment.text.includes(mark)) return [];
    const [written, word = ''] = addressed.exec(comment.text) ?? [];
    const isMeant = otherWords.has(word.toLowerCase()) || didYouMean(word, ['exempt']) !== '';
    return written !== undefined && isMeant ? [{ line: first + comment.line - 1, written }] : [];
  });
}

function parse(comment: string, place: Place): Omit<ExemptionComment, 'line' | 'last'> {
  const [, names, until, reason] =
    /olm-guard:exempt\s+([A-Za-z]+(?:\s*,\s*[A-Za-z]+)*)(?:\s+until\s+(\S+?))?:\s+(\S.*)$/.exec(
      comment,
    ) ?? [];
  if (names === undefined || reason === undefined) {
    throw invalidInput(
      `write # ${mark} RULE: REASON, or RULE, RULE until 2027-01-01T00:00:00Z: REASON`,
      place,
    );
  }
  if (until !== undefined && parseEnd(until) === undefined) {
    throw invalidInput(
      `"${until}" is neither a date such as 2027-01-01 nor an RFC 3339 time such as 2027-01-01T00:00:00Z`,
      place,
    );
  }
  return { rules: names.split(/\s*,\s*/), reason: reason.trim(), until };
}

function exemptedBy(
  comments: readonly ExemptionComment[],
  reported: readonly Reported[],
): { readonly exemptions: readonly Exemption[]; readonly unused: readonly ExemptionComment[] } {
  const exemptions: Exemption[] = [];
  const unused = comments.filter(({ line, last, rules, reason, until }) => {
    const covered = reported.filter(({ finding, place: { line: at } = {} }) => {
      const isBeside = at !== undefined && at >= line && at <= last;
      return isBeside && rules.some((name) => isNamed(name, finding));
    });
    for (const { rule, cause, path } of covered.map(({ finding }) => finding)) {
      exemptions.push({
        rules: [rule],
        ...(cause !== undefined
          ? { causes: [cause] }
          : path === undefined
            ? {}
            : { paths: [path] }),
        reason,
        isComment: true,
        until,
      });
    }
    return covered.length === 0;
  });
  return { exemptions, unused };
}
