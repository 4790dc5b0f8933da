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

/** Shows a page in light or in dark, and waits until all of it is. */
export async function showIn(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  // the builder hears of it and writes it down; the chat page has it by CSS alone
  const shown = `html:is([data-mantine-color-scheme="${colorScheme}"], :not([data-mantine-color-scheme]))`
  await page.locator(shown).waitFor({ state: 'attached' })
  await settled(page)
}

/** What passes is counted and not described, which takes two fifths of the time. */
const OBJECTIONS = {
  resultTypes: ['violations'],
  selectors: false,
  elementRef: false,
  preload: false,
} satisfies Parameters<AxeBuilder['options']>[0]

/**
 * What axe objects to on a screen, or a part of it: rule and elements. Tooltips float beside the landmarks, which only the `region` advice minds.
 *
 * @param coloursAlone leaves out what another look can't change
 */
export async function objections(page: Page, part = 'html', coloursAlone = false): Promise<string[]> {
  // in one page: the other way opens a window for each look, and no screen has a frame of another origin worth the time
  const axe = new AxeBuilder({ page }).setLegacyMode(true).options(OBJECTIONS).include(part)
  const { violations } = await (coloursAlone
    ? axe.withRules(['color-contrast'])
    : axe.disableRules(['region'])
  ).analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`)
}

/** Looks at a screen, or a part of it, as it is, in light and in dark; at a part in light alone unless the long course is asked for. */
export async function expectAccessible(page: Page, screen: string, part = 'html'): Promise<void> {
  for (const colorScheme of part === 'html' || process.env.FULL ? (['light', 'dark'] as const) : (['light'] as const)) {
    await showIn(page, colorScheme)
    expect.soft(await objections(page, part, colorScheme === 'dark'), `${screen}, ${colorScheme}`).toEqual([])
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
}
