export {
  type CheckReport,
  type CheckResult,
  type FindingNote,
  type SkippedKind,
} from './check-report.js';
export { type CodeFrame, type FrameAt, codeFrames, framesInTurn } from './code-frame.js';
export { renderDerivation } from './derivation.js';
export { type GraphFormat, graphFormats, renderGraph } from './graph/index.js';
export { countSeverities, gravityOf, type ReportedFinding } from './grouping.js';
export { harmFirst, isHarmless } from './harm-first.js';
export { JsonReport } from './json-report.js';
export { renderPage } from './page/page.js';
export { presentable } from './presentable.js';
export { renderRange } from './range.js';
export { type RenderOptions, formats, render, wantsColours } from './render.js';
export { renderResolution } from './resolution.js';
export { renderSections } from './table.js';
export { renderTable } from './table.js';
export { renderPaths } from './upgrade-path.js';
export { renderPlanMarkdown } from './upgrade-plan/markdown.js';
export { renderPlanPage } from './upgrade-plan/page.js';
export {
  type ExemptedFinding,
  type Obstacle,
  type PlannedAction,
  type PlannedAudience,
  type PlannedDefinition,
  type PlannedState,
  type PlannedStep,
  type UpgradePlan,
  headlineOf,
  isUnknown,
} from './upgrade-plan/plan.js';
export { renderPlanText } from './upgrade-plan/text.js';
export { type ReportVerdict, verdictOf } from './verdict.js';
export { storedWrites } from './wording.js';
