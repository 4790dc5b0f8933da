import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import type { BuiltApp } from '../support/app'

/** What a person does in the builder, by the names that the screens give to their parts. */

/** A flow in Typebot's format that we wrote ourselves. */
export const typebotFile = (name: string) => `tests/support/typebot/${name}.json`

export const owner = { first: 'Ada', last: 'Lovelace', email: 'ada@example.com', password: 'correct horse battery' }

/** Opens the link that the start printed and makes the owner's account; ends on the project's home. */
export async function registerOwner(page: Page, app: BuiltApp): Promise<void> {
  await page.goto(app.ownerLink)
  await fillAccount(page, owner)
}

export async function fillAccount(page: Page, person: typeof owner): Promise<void> {
  await page.getByLabel('First name').fill(person.first)
  await page.getByLabel('Last name').fill(person.last)
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.waitForURL(/\/projects\/\w+$/)
  await refuseTour(page)
}

/** The builder's pop-up lies over the canvas: its own test (firstSteps) shows it. */
async function refuseTour(page: Page): Promise<void> {
  const { status } = await page.evaluate(async () => {
    const token = /XSRF-TOKEN=([^;]+)/.exec(document.cookie)?.[1] ?? ''
    const headers = { 'content-type': 'application/json', 'x-xsrf-token': decodeURIComponent(token) }
    const body = JSON.stringify({ hide_builder_tutorial_video_popup: true })
    return await fetch('/api/user/update/settings', { method: 'POST', headers, body }).then(({ status }) => ({
      status,
    }))
  })
  if (status !== 200) throw new Error(`the tour could not be refused: ${status}`)
  await page.reload()
}

export async function logIn(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/login`)
  await page.getByLabel('Email').fill(owner.email)
  await page.getByLabel('Password', { exact: true }).fill(owner.password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.waitForURL(/\/projects\/\w+$/)
}

/** Opens a group of the navigation if it is closed; what is chosen stays so in that browser. */
export async function openGroup(page: Page, name: string): Promise<void> {
  const heading = page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name, exact: true })
  await heading.waitFor()
  if ((await heading.getAttribute('aria-expanded')) === 'false') await heading.click()
  await heading.and(page.locator('[aria-expanded="true"]')).waitFor()
}

/** From any screen with the navigation: a chatbot from a file; ends in front of the import report. */
export async function createFromFile(page: Page, file: string, name: string): Promise<void> {
  await page.getByRole('button', { name: 'New chatbot' }).click()
  await page.getByLabel('Chatbot name').fill(name)
  await page.getByText('From a file').click()
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Drop a flow file here, or choose one' }).click(),
  ])
  await chooser.setFiles(file)
  await page.getByRole('button', { name: 'Create and import' }).click()
  await page.getByRole('dialog', { name: 'Import report' }).waitFor()
}

/** Closes the report; ends in the builder, with the whole flow in sight. */
export async function openBuilder(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Open builder' }).click()
  await ready(page)
  await showAll(page)
}

export async function showAll(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Zoom to fit' }).click()
  await atRest(page)
}

/** The canvas stands still: what was clicked or closed before moves it no more. */
export const atRest = (page: Page): Promise<void> =>
  page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        let [before, frames] = ['', 0]
        const look = () => {
          const { width = 0, height = 0 } = document.querySelector('.react-flow')?.getBoundingClientRect() ?? {}
          const now = `${width} ${height} ${document.querySelector<HTMLElement>('.react-flow__viewport')?.style.transform}`
          frames = now === before ? frames + 1 : 0
          before = now
          if (frames === 3) resolve()
          else requestAnimationFrame(look)
        }
        look()
      }),
  )

/** The builder is there and everything in it is stored. */
export const ready = (page: Page) =>
  page
    .getByRole('status')
    .filter({ hasText: /^Saved$/ })
    .waitFor()

export const group = (page: Page, title: string): Locator =>
  page.getByRole('group', { name: new RegExp(`^Group ${title}:`) })

export const block = (page: Page, title: string, kind: string): Locator =>
  group(page, title).getByLabel(`${kind} block`, { exact: true })

export const settings = (page: Page): Locator => page.getByRole('complementary', { name: 'Settings' })

/** Selects a text block and puts the cursor at the end of its message. */
export async function editText(page: Page, card: Locator): Promise<Locator> {
  await card.click()
  const field = settings(page).getByRole('textbox', { name: 'Message' })
  await field.focus()
  await field.and(page.locator('[data-slate-editor]:focus')).waitFor()
  return field
}

/** Types the brace that opens the picker, then the variable's name; one that isn't there yet is made. */
export async function typeVariable(page: Page, name: string): Promise<void> {
  await page.keyboard.type('{')
  const filter = page.getByRole('combobox', { name: 'Find a variable' })
  await filter.fill(name)
  await page.getByRole('option', { name: new RegExp(`^(Create variable “${name}”|${name})$`) }).click()
  await filter.waitFor({ state: 'detached' })
}

/** Closes the settings: nothing is selected then. */
export const closeSettings = (page: Page) => settings(page).getByRole('button', { name: 'Close' }).click()

export interface Spot {
  on: Locator
  /** from its top left corner, or from the bottom right one when negative; the middle unless given */
  x?: number
  y?: number
}

/**
 * Presses the mouse on one thing, moves it in steps to another, and lets go. A drag that begins near the canvas's edge pans it
 * until the mouse has left the edge, for longer on a busy machine: so where the other thing is, is asked again on the way.
 */
export async function drag(page: Page, from: Spot, to: Spot): Promise<void> {
  const start = await pointOf(from)
  const aim = await pointOf(to)
  await page.mouse.move(start.x, start.y)
  await page.mouse.down()
  await page.mouse.move((start.x + aim.x) / 2, (start.y + aim.y) / 2, { steps: 5 })
  const end = await pointOf(to)
  await page.mouse.move(end.x, end.y, { steps: 5 })
  await page.mouse.up()
}

async function pointOf({ on, x, y }: Spot): Promise<{ x: number; y: number }> {
  // a trial waits until it stands still
  await on.hover({ trial: true, force: true })
  const box = await on.boundingBox()
  if (!box) throw new Error(`${on} is not on the page`)
  const along = (offset: number | undefined, size: number) =>
    offset === undefined ? size / 2 : offset < 0 ? size + offset : offset
  return { x: box.x + along(x, box.width), y: box.y + along(y, box.height) }
}

/** The file that the builder's menu exports. */
export async function exportFlow(page: Page): Promise<{ path: string; text: string }> {
  await page.getByRole('button', { name: 'More' }).click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Export flow' }).click(),
  ])
  const path = await download.path()
  return { path, text: await readFile(path, 'utf8') }
}

/** Publishes what is in the builder, and leaves the card with the public link open. */
export async function publish(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await page.getByRole('button', { name: 'Publish now' }).click()
  const link = page.getByRole('textbox', { name: 'Public link' })
  await link.waitFor()
  return link.inputValue()
}

/** A chat, wherever it stands: on its page or in the preview. */
export function chat(page: Page) {
  const log = page.getByRole('log', { name: 'Conversation' })
  return {
    log,
    hears: (text: string | RegExp) => log.getByText(text).first().waitFor(),
    chooses: (label: string) => page.getByRole('button', { name: label, exact: true }).click(),
    async writes(text: string, field = 'Your message') {
      await page.getByRole('textbox', { name: field }).fill(text)
      await page.getByRole('button', { name: 'Send', exact: true }).click()
    },
  }
}
