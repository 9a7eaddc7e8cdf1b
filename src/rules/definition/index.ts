export { definitionFindings } from './findings.js';
export { judgeForServers, type ServersJudgement } from './judge.js';
export { definitionRules, refusedByServers } from './table.js';
