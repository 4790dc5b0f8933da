import { AxeBuilder } from '@axe-core/playwright'
import { source } from 'axe-core'
import type { Frame, Page } from 'playwright-core'
import { expect } from 'vitest'

/** Waits for colour transitions to end, since contrast can't be measured during them. */
export const settled = (page: Page) =>
  page.evaluate(async () => {
    await new Promise(requestAnimationFrame)
    const transitions = document.getAnimations().filter((animation) => animation instanceof CSSTransition)
    await Promise.allSettled(transitions.map(({ finished }) => finished))
  })

/** Switches a page to light or dark, and waits until it has changed completely. */
export async function showIn(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  // the builder stores it as an attribute; the chat page uses CSS alone
  const shown = `html:is([data-mantine-color-scheme="${colorScheme}"], :not([data-mantine-color-scheme]))`
  await page.locator(shown).waitFor({ state: 'attached' })
  await settled(page)
}

/** Passing rules are not described, which saves two fifths of the time. */
const OBJECTIONS = {
  resultTypes: ['violations'],
  selectors: false,
  elementRef: false,
  preload: false,
} satisfies Parameters<AxeBuilder['options']>[0]

/** AxeBuilder brings axe along twice at each run, which takes longer than the run: here it comes once a document. */
const ALREADY_THERE = '/* axe is there */'
async function inject(frame: Frame): Promise<void> {
  // a frame that is gone meanwhile has no objections
  await frame
    .evaluate('"axe" in window')
    .then((isThere) => (isThere ? undefined : frame.evaluate(source)))
    .catch((error: unknown) => {
      if (frame.parentFrame() === null) throw error
    })
}

/**
 * axe's violations on a screen or a part of it: rule and elements. Tooltips outside of landmarks only violate the
 * `region` advice, which is ignored.
 *
 * @param coloursAlone checks only rules that depend on the colour scheme
 */
export async function objections(page: Page, part = 'html', coloursAlone = false): Promise<string[]> {
  // in one page: the other mode opens a window per run, and no screen has a frame of another origin worth it
  await Promise.all(page.frames().map(inject))
  const axe = new AxeBuilder({ page, axeSource: ALREADY_THERE }).setLegacyMode(true).options(OBJECTIONS).include(part)
  const { violations } = await (coloursAlone
    ? axe.withRules(['color-contrast'])
    : axe.disableRules(['region'])
  ).analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`)
}

/** Checks a screen in light and dark; a part only in light, unless FULL is set. */
export async function expectAccessible(page: Page, screen: string, part = 'html'): Promise<void> {
  for (const colorScheme of part === 'html' || process.env.FULL ? (['light', 'dark'] as const) : (['light'] as const)) {
    await showIn(page, colorScheme)
    expect.soft(await objections(page, part, colorScheme === 'dark'), `${screen}, ${colorScheme}`).toEqual([])
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
}
