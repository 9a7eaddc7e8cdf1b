/** Points in time as Kubernetes writes them. */

/** Hours end at 23 and seconds at 59, as Go reads them; Date.parse would take 24:00 for the next day. */
const rfc3339 =
  /^\d{4}-\d{2}-\d{2}[Tt](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** Milliseconds since 1970, or undefined when the text is not RFC 3339 or not a real date. */
export function parseTime(text: string): number | undefined {
  if (!rfc3339.test(text)) return undefined;
  const time = Date.parse(text.toUpperCase());
  if (Number.isNaN(time)) return undefined;
  const day = Number(text.slice(8, 10));
  // Date.parse rolls February 30 over into March.
  const daysInMonth = new Date(
    Date.UTC(Number(text.slice(0, 4)), Number(text.slice(5, 7)), 0),
  ).getUTCDate();
  return day <= daysInMonth ? time : undefined;
}

/** The end of an exemption: RFC 3339, or a date, which is its first moment in UTC. */
export function parseEnd(text: string): number | undefined {
  return parseTime(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text);
}
