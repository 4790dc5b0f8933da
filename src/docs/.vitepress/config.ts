import { defineConfig } from 'vitepress'
import { scriptsAsFiles } from '../programs/scriptsAsFiles'
import { sidebar } from '../programs/sidebar'

const scripts = scriptsAsFiles()

export default defineConfig({
  title: 'Parley docs',
  titleTemplate: ':title · Parley docs',
  description: 'How to build, run and extend chatbots with Parley.',
  lang: 'en',
  base: '/docs/',

  cacheDir: '../../build/docs-cache',
  srcExclude: ['README.md'],
  cleanUrls: true,
  // a link that leads nowhere ends the build
  ignoreDeadLinks: false,
  head: [['link', { rel: 'icon', href: '/docs/mark.svg' }]],
  markdown: { theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' } },
  transformHtml: scripts.transformHtml,
  buildEnd: scripts.buildEnd,
  themeConfig: {
    logo: '/mark.svg',
    siteTitle: 'Parley docs',
    search: { provider: 'local' },
    nav: [
      { text: 'Editors', link: '/editors/first-chatbot', activeMatch: '/editors/' },
      { text: 'Support', link: '/support/inbox', activeMatch: '/support/' },
      { text: 'Operators', link: '/operators/install', activeMatch: '/operators/' },
      { text: 'Developers', link: '/developers/api', activeMatch: '/developers/' },
      { text: 'Blocks', link: '/blocks/', activeMatch: '/blocks/' },
    ],
    sidebar,
    outline: { level: [2, 3] },

    docFooter: { prev: 'Before', next: 'Next' },
  },
})
