import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { settled } from '../support/accessibility'
import type { Gestures, Keys } from './gestureCount'
import { ready, settings as settingsOf } from './steps'

/** What somebody new does in the builder on a page, by mouse and by keyboard, each gesture counted by who is given. */
export function createDesk(page: Page) {
  const settings = () => settingsOf(page)
  const palette = (kind: string): Locator =>
    page.getByRole('region', { name: 'Blocks' }).getByRole('button', { name: kind, exact: true })
  const onCard = (name: string): Locator => page.locator('[data-card-editor]').getByRole('textbox', { name })
  const setting = (name: string): Locator => settings().getByRole('textbox', { name, exact: true })
  const variable = (name: string): Locator => settings().getByRole('button', { name, exact: true })
  const output = (port: string, kind: string): Locator =>
    page.getByRole('button', { name: `${port} of ${kind}: choose what comes next` })
  const filter = (): Locator => page.getByRole('combobox', { name: 'Find a variable' })

  /** A block after the one that is worked on, and its question; what it asks for is kept in the variable that the form proposes. */
  async function ask(hands: Gestures, kind: string, question: string, proposed: string): Promise<void> {
    await hands.click(palette(kind))
    await hands.type(question, onCard(`${kind}: Question`))
    await hands.click(settings().getByRole('button', { name: `Create “${proposed}”` }))
  }

  /** Types a variable's name on the field that has the focus; one that is not there is made. */
  async function chooseVariable(hands: Gestures, name: string): Promise<void> {
    await hands.type(name, variable('Variable'))
    await expect.poll(() => filter().inputValue()).toBe(name)
    await hands.press('Enter')
    await filter().waitFor({ state: 'detached' })
  }

  async function choose(hands: Gestures, field: string, option: string): Promise<void> {
    await hands.click(settings().getByRole('combobox', { name: field, exact: true }))
    await hands.click(page.getByRole('option', { name: option, exact: true }))
  }

  async function fill(hands: Gestures, field: string, text: string): Promise<void> {
    await hands.click(setting(field))
    await hands.type(text, setting(field))
  }

  const preview = () => page.getByRole('region', { name: 'Preview' })
  const hears = (text: string | RegExp) =>
    preview().getByRole('log', { name: 'Conversation' }).getByText(text).first().waitFor()
  async function writes(text: string): Promise<void> {
    await preview().getByRole('textbox').first().fill(text)
    await page.keyboard.press('Enter')
  }
  /** Begins anew; what was said before is gone then. */
  async function restart(said: string): Promise<void> {
    await preview().getByRole('button', { name: 'Restart' }).click()
    await preview().getByText(said).waitFor({ state: 'detached' })
  }
  async function openPreview(): Promise<void> {
    await ready(page)
    await page.getByRole('button', { name: 'Preview', exact: true }).click()
  }

  /** Pictures to look at, for who asks for them. */
  async function shots(name: string): Promise<void> {
    if (!process.env.SHOTS) return
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await settled(page)
      await page.screenshot({ path: join(process.env.SHOTS, `${name}-${colorScheme}.png`) })
    }
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  }

  /** Where the keyboard is: on the block, with its text or its settings left. */
  const onBlock = (kind: string): Locator => page.getByLabel(`${kind} block`, { exact: true })
  const focused = (on: Locator) => on.and(page.locator(':focus')).waitFor()

  /** A block after the one that the keyboard is on; its first field has the focus then. */
  async function addByKeys(keys: Keys, kind: string, key = 'a'): Promise<void> {
    await keys.press(key)
    await keys.type(kind, page.getByRole('dialog').getByRole('searchbox'))
    await keys.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }

  async function leave(keys: Keys, kind: string): Promise<void> {
    await keys.press('Escape')
    await page.locator('[data-block-id]:focus').and(onBlock(kind)).waitFor()
  }

  async function askByKeys(keys: Keys, kind: string, question: string, proposed: string): Promise<void> {
    await addByKeys(keys, kind)
    await keys.type(question, onCard(`${kind}: Question`))
    await leave(keys, kind)
    await keys.press('Control+Enter')
    await focused(setting('Question'))
    await keys.walkTo(settings().getByRole('button', { name: `Create “${proposed}”` }))
    await keys.press('Enter')
    await variable(`Save the answer to`).and(page.locator(':focus')).waitFor()
    await leave(keys, kind)
  }

  async function chooseVariableByKeys(keys: Keys, name: string): Promise<void> {
    await keys.type(name, variable('Variable'))
    await expect.poll(() => filter().inputValue()).toBe(name)
    await keys.press('Enter')
    await filter().waitFor({ state: 'detached' })
    await focused(variable('Variable'))
  }

  /** Connects an output of the block that the keyboard is on to what a search finds. */
  async function connectByKeys(keys: Keys, output: string, to: string): Promise<void> {
    await keys.press('c')
    await keys.type(output, page.getByRole('dialog', { name: 'Connect from which output?' }).getByRole('combobox'))
    await page.getByRole('option', { name: output, selected: true }).waitFor()
    await keys.press('Enter')
    const target = page.getByRole('dialog', { name: `Connect “${output}” to` })
    await keys.type(to, target.getByRole('combobox'))
    await target.getByRole('option', { name: to, selected: true }).waitFor()
    await keys.press('Enter')
    await target.waitFor({ state: 'detached' })
  }

  async function commandByKeys(keys: Keys, command: string): Promise<void> {
    await keys.press('Control+K')
    await keys.type(command, page.getByRole('combobox', { name: 'Find anything' }))
    await page.getByRole('option', { name: command, selected: true }).first().waitFor()
    await keys.press('Enter')
  }

  return {
    palette,
    onCard,
    setting,
    variable,
    output,
    filter,
    ask,
    chooseVariable,
    choose,
    fill,
    preview,
    hears,
    writes,
    restart,
    openPreview,
    shots,
    onBlock,
    focused,
    addByKeys,
    leave,
    askByKeys,
    chooseVariableByKeys,
    connectByKeys,
    commandByKeys,
  }
}

export type Desk = ReturnType<typeof createDesk>
