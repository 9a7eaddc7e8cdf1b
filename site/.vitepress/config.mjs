import { defineConfig } from 'vitepress';
import pages from '../.cache/pages/sidebar.json' with { type: 'json' };

export default defineConfig({
  title: 'olm-guard',
  description: 'One gate for operator upgrades: a webhook, a command line and a sidecar.',
  // Where it is served from: below the repository's name on GitHub Pages.
  base: process.env.SITE_BASE ?? '/',
  srcDir: '.cache/pages',
  outDir: 'dist',
  cleanUrls: true,
  lastUpdated: false,
  markdown: {
    html: false,
    // The pages show templates of Helm and Prometheus, which are none of Vue.
    config: ({ renderer: { rules } }) => {
      for (const rule of ['text', 'code_inline']) {
        const render = rules[rule];
        rules[rule] = (...args) => render(...args).replaceAll('{{', '&#123;&#123;');
      }
    },
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Check', link: '/check/', target: '_self' },
      { text: 'Commands', link: '/commands' },
      { text: 'Operate', link: '/operations' },
      { text: 'Rules', link: '/rules' },
    ],
    sidebar: pages,
  },
});
