import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { expectAccessible, showIn } from '../support/accessibility'

const SIZES = [
  { width: 1440, height: 900, colorScheme: 'light' },
  { width: 390, height: 844, colorScheme: 'dark' },
] as const

/**
 * Looks at a screen at a desk and, in the dark, on a phone: nothing is wider than the page, and everybody can use it.
 * `SHOTS` names a folder for pictures. Leaves it as at a desk.
 */
export async function look(page: Page, name: string): Promise<void> {
  for (const { width, height, colorScheme } of SIZES) {
    await page.setViewportSize({ width, height })
    await showIn(page, colorScheme)
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}-${width}-${colorScheme}.png` })
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    await expectAccessible(page, `${name}, ${width} wide`)
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  await showIn(page, 'light')
}
