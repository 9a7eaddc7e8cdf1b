/** Judges texts beside the page, which stays quick meanwhile. */
import { TextJudge, type JudgedTexts, type Texts } from './judge-texts.js';

const judge = new TextJudge();

export interface Request {
  readonly id: number;
  readonly isFixWanted: boolean;
  readonly texts: Texts;
}

/** `defect` where olm-guard has one; bad input is an answer. */
export type Answer =
  | { readonly id: number; readonly judged: JudgedTexts; readonly milliseconds: number }
  | { readonly id: number; readonly defect: string };

addEventListener('message', ({ data: { id, texts, isFixWanted } }: MessageEvent<Request>) => {
  const start = performance.now();
  judge.judge(texts, { isFixWanted }).then(
    (judged) => postMessage({ id, judged, milliseconds: performance.now() - start }),
    (error: unknown) => postMessage({ id, defect: String(error) }),
  );
});
