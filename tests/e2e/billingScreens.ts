import type { Page } from 'playwright-core'
import { showIn } from '../support/accessibility'

const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
] as const

/** What a person does on the screens about a project's plan. @param billing their address up to the last part */
export function createBillingScreens(page: Page, billing: string) {
  const fact = (name: string) => page.locator('dt', { hasText: new RegExp(`^${name}$`) }).locator('+ dd')

  return {
    open: (screen: 'plans' | 'subscription' | 'usage' | 'addons' | 'bonus-credits') =>
      page.goto(`${billing}/${screen}`),

    /** Waits until a fact of the subscription is so. */
    sees: (name: string, value: string | RegExp) => fact(name).filter({ hasText: value }).first().waitFor(),

    /** Cancels on the screen of the subscription. @param look at what is asked first */
    async cancel(look?: () => Promise<unknown>): Promise<void> {
      await page.getByRole('button', { name: 'Cancel the subscription' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText('Nothing is deleted').waitFor()
      await look?.()
      await dialog.getByRole('button', { name: 'Cancel the subscription' }).click()
      await page.getByRole('button', { name: 'Resume' }).waitFor()
    },

    /** Plans a smaller plan for the period's end. @param look at what is asked first */
    async planSmaller(plan: string, look?: () => Promise<unknown>): Promise<void> {
      await page.goto(`${billing}/plans`)
      await page.getByRole('button', { name: `Change to ${plan} at the period’s end` }).click()
      await page.getByText('Nothing is charged now').waitFor()
      await look?.()
      await page.getByRole('button', { name: 'Plan the change' }).click()
      await page.getByText('The change is planned.').first().waitFor()
    },

    /** Pictures of the whole screen at a desk and on a phone, light and dark, for who names a folder by `SHOTS`. */
    async picture(name: string): Promise<void> {
      if (!process.env.SHOTS) return
      for (const size of SIZES)
        for (const colorScheme of ['dark', 'light'] as const) {
          await page.setViewportSize(size)
          await showIn(page, colorScheme)
          const path = `${process.env.SHOTS}/${name}-${size.width}-${colorScheme}.png`
          await page.screenshot({ path, fullPage: true })
        }
      await page.setViewportSize(SIZES[0])
    },
  }
}
