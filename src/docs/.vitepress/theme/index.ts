import '@fontsource-variable/inter/wght.css'
import type { Theme } from 'vitepress'
import DefaultTheme from 'vitepress/theme-without-fonts'
import { nextTick } from 'vue'
import './style.css'

/** The default theme; where a page has no `main`, as the home page, its content is that. */
export default {
  extends: DefaultTheme,
  enhanceApp({ router }) {
    router.onAfterPageLoad = async () => {
      if (typeof document === 'undefined') return
      await nextTick()
      const content = document.getElementById('VPContent')
      if (document.querySelector('main')) content?.removeAttribute('role')
      else content?.setAttribute('role', 'main')
    }
  },
} satisfies Theme
