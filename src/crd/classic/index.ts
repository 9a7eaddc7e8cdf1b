export { judgeClassicUpgrade, type ClassicUpgrade, type ClassicVerdict } from './upgrade.js';
