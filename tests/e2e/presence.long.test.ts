import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Role } from '../../server/access/roles'
import { ensureBuilt } from '../../server/cli/prepare.mjs'
import { exportFlow, importFlow } from '../../server/contracts/flows'
import { expectAccessible } from '../support/accessibility'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { addMember, makeChatbot } from '../support/collab'
import { type Registered, startTestServer, type TestServer } from '../support/server'
import { block, closeSettings, editText, group, ready, settings, showAll, typebotFile } from './steps'

/** Two who edit and one who may only look, in one flow; each test goes on where the one before it ended. */
let server: TestServer
let ada: TestBrowser
let bo: TestBrowser
let vera: TestBrowser
let owner: Registered
let place: { pgid: string; cgid: string; fid: string }

beforeAll(async () => {
  ensureBuilt()
  ;[server, ada, bo, vera] = await Promise.all([startTestServer(), launchBrowser(), launchBrowser(), launchBrowser()])
  owner = await server.register({ first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' })
  const editor = await server.register({ first_name: 'Bo', last_name: 'Diaz', email: 'bo@example.com' })
  const viewer = await server.register({ first_name: 'Vera', last_name: 'Viewer', email: 'vera@example.com' })
  place = await makeChatbot(owner)
  await addMember(server, place.pgid, editor, [Role.EDITOR])
  await addMember(server, place.pgid, viewer, [Role.VIEWER])
  const source = await readFile(typebotFile('lead-generation'), 'utf8')
  await owner.call(importFlow, { params: place, body: { source, mode: 'replace' } })
  await Promise.all([enterAs(owner, ada), enterAs(editor, bo), enterAs(viewer, vera)])
})
afterAll(() => Promise.all([ada?.close(), bo?.close(), vera?.close(), server?.close()]))

async function enterAs(person: Registered, { context, page }: TestBrowser): Promise<void> {
  await context.addCookies([...person.cookies].map(([name, value]) => ({ name, value, url: server.url })))
  await page.goto(`${server.url}/projects/${place.pgid}/chatbots/${place.cgid}/builder`)
  await group(page, 'Name').waitFor()
  await showAll(page)
}

const everybody = () => [ada.page, bo.page, vera.page]
const question = (page: Page) => block(page, 'Name', 'Text')
const cursorOf = (page: Page, name: string) => page.locator(`[data-cursor="${name}"] path`)
const outlineOf = (page: Page, name: string) => page.locator(`[data-selected-by="${name}"]`)

/** Puts the mouse into the middle of a group's title. */
async function pointAt(page: Page, title: string): Promise<{ x: number; y: number }> {
  const box = await group(page, title).boundingBox()
  if (!box) throw new Error(`${title} is not in sight`)
  const at = { x: box.x + box.width / 2, y: box.y + 12 }
  await page.mouse.move(at.x, at.y, { steps: 3 })
  return at
}

/** Where a group is drawn, in the flow's coordinates. */
const drawnAt = (page: Page, title: string) =>
  group(page, title).evaluate((element) => element.closest<HTMLElement>('.react-flow__node')?.style.transform ?? '')

/** The middle of what one sees, in the flow's coordinates. */
const middle = (page: Page) =>
  page.evaluate(() => {
    const canvas = document.querySelector('.react-flow')?.getBoundingClientRect()
    const {
      a: zoom,
      e,
      f,
    } = new DOMMatrix(document.querySelector<HTMLElement>('.react-flow__viewport')?.style.transform)
    return { x: ((canvas?.width ?? 0) / 2 - e) / zoom, y: ((canvas?.height ?? 0) / 2 - f) / zoom }
  })

const seesWhat = (page: Page, other: Page) =>
  expect
    .poll(async () => {
      const [mine, theirs] = await Promise.all([middle(page), middle(other)])
      return Math.hypot(mine.x - theirs.x, mine.y - theirs.y)
    })
    .toBeLessThan(3)

const stored = async () => JSON.stringify(await owner.call(exportFlow, { params: place }))

it('shows who is there and what they may do', async () => {
  const { page } = ada
  await page.getByRole('button', { name: 'Follow Bo Diaz (can edit)', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Follow Vera Viewer (viewing)', exact: true }).waitFor()
  await page.getByRole('button', { name: '2 others are here: show the list', exact: true }).click()
  const list = page.getByRole('dialog').filter({ hasText: 'In this flow' })
  await list.getByText('Ada Lovelace (you)', { exact: true }).waitFor()
  await list.getByRole('button', { name: 'Follow Vera Viewer', exact: true }).waitFor()
  await page.getByText('1 viewer', { exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await list.waitFor({ state: 'detached' })
})

it('shows the pointers of all, also of who may only look, where they point in the flow', async () => {
  await pointAt(bo.page, 'Email')
  await pointAt(vera.page, 'Services')
  for (const [name, title] of [
    ['Bo Diaz', 'Email'],
    ['Vera Viewer', 'Services'],
  ] as const) {
    await cursorOf(ada.page, name).waitFor()
    const isOver = async () => {
      const [cursor, box] = await Promise.all([
        cursorOf(ada.page, name).boundingBox(),
        group(ada.page, title).boundingBox(),
      ])
      return cursor && box && cursor.x > box.x && cursor.x < box.x + box.width && Math.abs(cursor.y - box.y - 12) < 12
    }
    await expect.poll(isOver).toBe(true)
  }
  await bo.page.getByRole('button', { name: 'Publish', exact: true }).hover()
  await cursorOf(ada.page, 'Bo Diaz').waitFor({ state: 'detached' })
})

it('says who edits what, and keeps every letter that two type into one text', async () => {
  const [hers, his] = ['abcdefghij', '0123456789']
  for (const { page } of [ada, bo]) await editText(page, question(page))
  for (const [page, other] of [
    [ada.page, 'Bo Diaz'],
    [bo.page, 'Ada Lovelace'],
  ] as const) {
    await settings(page).getByText(`${other} is editing this`, { exact: true }).waitFor()
    await settings(page).locator(`[data-caret="${other}"]`).waitFor()
    await outlineOf(page, other).getByText(`${other} is editing`, { exact: true }).waitFor()
  }
  await outlineOf(vera.page, 'Ada Lovelace').getByText('Ada Lovelace is editing', { exact: true }).waitFor()
  await Promise.all([ada.page.keyboard.type(hers), bo.page.keyboard.type(his)])
  for (const page of everybody())
    for (const typed of [hers, his])
      await expect
        .poll(async () =>
          [...((await question(page).textContent()) ?? '')].filter((one) => typed.includes(one)).join(''),
        )
        .toContain(typed)
  const texts = await Promise.all(everybody().map((page) => question(page).textContent()))
  expect(new Set(texts).size).toBe(1)
})

it('shows a drag while it lasts, and of two who drag the same group the last drop counts', async () => {
  for (const { page } of [ada, bo]) await closeSettings(page)
  const before = await drawnAt(vera.page, 'Email')
  const [from, his] = [await pointAt(ada.page, 'Email'), await pointAt(bo.page, 'Email')]
  await ada.page.mouse.down()
  await ada.page.mouse.move(from.x + 60, from.y + 90, { steps: 4 })
  await expect.poll(() => drawnAt(vera.page, 'Email')).not.toBe(before)
  // Bo takes it where it is in Ada's hand
  const held = await drawnAt(ada.page, 'Email')
  await expect.poll(() => drawnAt(bo.page, 'Email')).toBe(held)
  await pointAt(bo.page, 'Email')
  await bo.page.mouse.down()
  await bo.page.mouse.move(his.x - 50, his.y + 160, { steps: 4 })
  await expect.poll(() => drawnAt(bo.page, 'Email')).not.toBe(held)
  await ada.page.mouse.up()
  await ready(ada.page)
  const last = await drawnAt(bo.page, 'Email')
  expect(last).not.toBe(held)
  await bo.page.mouse.up()
  for (const page of everybody()) await expect.poll(() => drawnAt(page, 'Email')).toBe(last)
  await expect.poll(stored).not.toBe('')
})

it('follows a view until one moves it oneself', async () => {
  const { page } = ada
  const avatar = page.getByRole('button', { name: 'Follow Bo Diaz (can edit)', exact: true })
  const banner = page.getByRole('region', { name: 'Following', exact: true })
  await avatar.click()
  await banner.getByText('Following Bo Diaz', { exact: true }).waitFor()
  await bo.page.getByRole('button', { name: 'Zoom in', exact: true }).click()
  await pointAt(bo.page, 'Welcome')
  await bo.page.mouse.wheel(120, 90)
  await seesWhat(page, bo.page)
  await expectAccessible(page, 'builder with others')

  await page.keyboard.press('Escape')
  await banner.waitFor({ state: 'detached' })
  await avatar.click()
  await banner.waitFor()
  await seesWhat(page, bo.page)
  await page.getByRole('button', { name: 'Zoom out', exact: true }).click()
  await banner.waitFor({ state: 'detached' })
  // he follows her: she can't follow him at once
  await bo.page.getByRole('button', { name: 'Follow Ada Lovelace (can edit)', exact: true }).click()
  await seesWhat(bo.page, page)
  await avatar.click()
  await page.getByText('Bo Diaz is following you, so you can’t follow them.', { exact: true }).waitFor()
  await bo.page.getByRole('region', { name: 'Following' }).getByRole('button', { name: 'Stop', exact: true }).click()
})

it('lets a viewer see everything live and change nothing', async () => {
  const { page } = vera
  await showAll(page)
  await ready(ada.page)
  const before = await stored()
  const at = await pointAt(page, 'Services')
  await page.mouse.down()
  await page.mouse.move(at.x + 140, at.y + 80, { steps: 5 })
  await page.mouse.up()
  await question(page).click()
  const message = settings(page).getByRole('textbox', { name: 'Message' })
  await message.click()
  await page.keyboard.type('Vera was here')
  await group(page, 'Services').click({ position: { x: 60, y: 8 } })
  for (const key of ['Delete', 'Backspace', 'ArrowDown', 'Control+d', 'Control+x', 'Control+v', 'Control+z', 'F2'])
    await page.keyboard.press(key)
  await page.evaluate(() => {
    const data = new DataTransfer()
    data.setData('text/plain', 'A group out of nowhere')
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
  })
  // what comes after shows that all of that has been and gone
  await editText(ada.page, question(ada.page))
  await ada.page.keyboard.type('!')
  await question(page).filter({ hasText: '!' }).waitFor()
  await ada.page.keyboard.press('Backspace')
  await question(page).filter({ hasNotText: '!' }).waitFor()
  await ready(ada.page)
  expect(await stored()).toBe(before)
  await ada.page.getByText('Vera Viewer is editing', { exact: true }).waitFor({ state: 'detached' })
})

it('lets go of a view whose person leaves, and shows them no more', async () => {
  await closeSettings(ada.page)
  await ada.page.getByRole('button', { name: 'Follow Bo Diaz (can edit)', exact: true }).click()
  const banner = ada.page.getByRole('region', { name: 'Following', exact: true })
  await banner.waitFor()
  await bo.page.goto('about:blank')
  await banner.waitFor({ state: 'detached' })
  await ada.page.getByText('Bo Diaz left. You are no longer following.').waitFor({ state: 'attached' })
  await ada.page.getByRole('button', { name: '1 other person is here: show the list', exact: true }).waitFor()
})

it('shows translations to who may only look, and tells who writes one of another’s words for it', async () => {
  const table = (page: Page) => page.getByRole('table', { name: 'Translations' })
  const cell = (page: Page) =>
    table(page)
      .getByRole('button', { name: /^German for/ })
      .first()
  const field = (page: Page) => table(page).getByRole('textbox', { name: /^German for/ })
  const address = `${server.url}/projects/${place.pgid}/chatbots/${place.cgid}/builder/translations`
  await ada.page.goto(address)
  await ada.page.getByRole('button', { name: 'Add language' }).first().click()
  const search = ada.page.getByRole('textbox', { name: 'Find a language' })
  await search.fill('German')
  await search.press('Enter')
  await cell(ada.page).waitFor()
  await Promise.all([bo.page.goto(address), vera.page.goto(address)])

  await cell(ada.page).click()
  await field(ada.page).pressSequentially('Wie heißen Sie')
  await cell(bo.page).click()
  await field(bo.page).pressSequentially('Wie heißt du')
  await field(bo.page).press('Enter')
  await ada.page.getByRole('status').getByText('Somebody else wrote “Wie heißt du” meanwhile.').waitFor()
  expect(await field(ada.page).inputValue()).toBe('Wie heißen Sie')
  await expectAccessible(ada.page, 'a translation that somebody else wrote meanwhile')
  await field(ada.page).press('Escape')
  await cell(ada.page).filter({ hasText: 'Wie heißt du' }).waitFor()

  // where nothing was typed, the field follows
  await cell(ada.page).click()
  await cell(bo.page).click()
  await field(bo.page).fill('Ihr Name')
  await field(bo.page).press('Enter')
  await expect.poll(() => field(ada.page).inputValue()).toBe('Ihr Name')
  await field(ada.page).press('Escape')

  const { page } = vera
  await table(page).getByText('Ihr Name', { exact: true }).waitFor()
  await page.getByText('You can look at the translations, but not change them.', { exact: true }).waitFor()
  expect(await cell(page).count()).toBe(0)
  for (const name of ['Add language', 'Import', 'Undo', 'Translate with AI'])
    expect(await page.getByRole('button', { name, exact: true }).count()).toBe(0)
  await page.getByRole('button', { name: 'Export', exact: true }).waitFor()
  await expectAccessible(page, 'translations to be looked at')
})

it('leaves no error in a console', () => {
  expect([...ada.errors, ...bo.errors, ...vera.errors]).toEqual([])
})
