import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Colours that are on their way to others have no contrast worth measuring. */
export const settled = (page: Page) =>
  page.evaluate(async () => {
    await new Promise(requestAnimationFrame)
    const transitions = document.getAnimations().filter((animation) => animation instanceof CSSTransition)
    await Promise.allSettled(transitions.map(({ finished }) => finished))
  })

/** Looks at a screen, or a part of it, as it is, in light and in dark. Tooltips float beside the landmarks, which only the `region` advice minds. */
export async function expectAccessible(page: Page, screen: string, part = 'html'): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await settled(page)
    const { violations } = await new AxeBuilder({ page }).include(part).disableRules(['region']).analyze()
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`)
    expect.soft(found, `${screen}, ${colorScheme}`).toEqual([])
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
}
