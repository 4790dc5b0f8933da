import type { Locator, Page } from 'playwright-core'
import { drag, type Spot } from './steps'

/**
 * A person's hands, counted: a click, a drag, the text of one field and a key or chord are one gesture each, and so is the turn of the
 * wheel that brings a thing in sight before it can be clicked. Looking and waiting cost nothing. Every act waits for what it is done to.
 */
export function countGestures(page: Page) {
  let count = 0
  const filter = page.getByRole('combobox', { name: 'Find a variable' })
  return {
    get count() {
      return count
    },
    async click(on: Locator): Promise<void> {
      await on.waitFor()
      if (!(await isInSight(on))) count++
      count++
      await on.click()
    },
    async drag(from: Spot, to: Spot): Promise<void> {
      count++
      await drag(page, from, to)
    },
    /** `{Name}` in a text becomes the variable of that name; the field has the focus already */
    async type(text: string, into: Locator): Promise<void> {
      count++
      await hasFocus(page, into)
      for (const part of text.split(/(\{[^}]+\})/)) {
        if (!part.startsWith('{')) {
          await page.keyboard.type(part)
          continue
        }
        await page.keyboard.type('{')
        await hasFocus(page, filter)
        await page.keyboard.type(part.slice(1))
        await filter.waitFor({ state: 'detached' })
        await hasFocus(page, into)
      }
    },
    async press(chord: string): Promise<void> {
      count++
      await page.keyboard.press(chord)
    },
  }
}

export type Gestures = ReturnType<typeof countGestures>

/**
 * Hands on the keyboard alone, counted likewise: the text of one field is one gesture, each key or chord one, each press of Tab on the
 * way to a field too.
 */
export function countKeys(page: Page) {
  const hands = countGestures(page)
  return {
    get count() {
      return hands.count
    },
    press: hands.press,
    type: hands.type,
    /** presses a key until the focus is there */
    async walkTo(on: Locator, key = 'Tab'): Promise<void> {
      // before it is there a press would be one too many
      await on.waitFor({ state: 'attached' })
      for (let presses = 0; presses < 60; presses++) {
        if (await on.and(page.locator(':focus')).count()) return
        const before = await page.evaluateHandle(() => document.activeElement)
        await hands.press(key)
        // the canvas brings into sight what it focuses: a frame later
        await page.waitForFunction((element) => document.activeElement !== element, before)
      }
      throw new Error(`${on} can't be reached by ${key}`)
    },
  }
}

export type Keys = ReturnType<typeof countKeys>

/** The keys go to it; a text of ours only once its editor is awake. */
async function hasFocus(page: Page, field: Locator): Promise<void> {
  await field.and(page.locator(':is(input, textarea, button, [data-slate-editor]):focus')).waitFor()
}

/** Most of it is seen, past whatever scrolls around it. */
const isInSight = (on: Locator): Promise<boolean> =>
  on.evaluate(
    (element) =>
      new Promise<boolean>((resolve) => {
        const observer = new IntersectionObserver(([entry]) => {
          observer.disconnect()
          resolve((entry?.intersectionRatio ?? 0) > 0.5)
        })
        observer.observe(element)
      }),
  )
