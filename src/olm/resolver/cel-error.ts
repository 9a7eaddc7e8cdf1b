/** A CEL rule that OLM's compiler refuses; the message is in OLM's words where they are known. */
export class CelError extends Error {
  override readonly name = 'CelError';
}
