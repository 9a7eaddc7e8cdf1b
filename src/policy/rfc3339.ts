/** Points in time as Kubernetes writes them. */

const rfc3339 = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})$/;

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
